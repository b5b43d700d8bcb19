import {
  askDeleteSection,
  askDeleteSectionAction,
  deleteSection,
  openSections,
  sectionListActions,
} from "./list.ts";
import { addSection, changeSection } from "./write.ts";

/** The sections of a channel's page: listing, adding, changing and deleting them. */
export const channelSectionsFlow = {
  open: openSections,
  add: addSection,
  change: changeSection,
  askToDelete: askDeleteSection,
  actions: [...sectionListActions, askDeleteSectionAction, deleteSection],
} as const;
