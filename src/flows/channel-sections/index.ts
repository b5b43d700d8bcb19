export { askDelete, askToDelete, deleteSection } from "./delete.ts";
export { sections, sectionsOf } from "./list.ts";
export { addSection, changeSection } from "./write.ts";
