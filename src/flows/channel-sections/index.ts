import { askDelete, askToDelete, deleteSection } from "./delete.ts";
import { listActions, openSections } from "./list.ts";
import { addSection, changeSection } from "./write.ts";

/** The sections of a channel's page. */
export const sections = {
  open: openSections,
  add: addSection,
  change: changeSection,
  askToDelete,
  actions: [...listActions, askDelete, deleteSection],
} as const;
