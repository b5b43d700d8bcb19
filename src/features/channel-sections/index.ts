import {
  askDeleteSection,
  askDeleteSectionAction,
  deleteSection,
  openSections,
  sectionListActions,
} from "./list.ts";
import { addSection, addSectionOptions, changeSection, changeSectionOptions } from "./write.ts";

/** The sections of a channel's page: listing, adding, changing and deleting them. */
export const channelSectionsFlow = {
  open: openSections,
  addOptions: addSectionOptions,
  add: addSection,
  changeOptions: changeSectionOptions,
  change: changeSection,
  askToDelete: askDeleteSection,
  actions: [...sectionListActions, askDeleteSectionAction, deleteSection],
} as const;
