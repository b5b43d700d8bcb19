export { linesWith } from "./lines.ts";
export { type DetailsName, detailsNames, detailsPage } from "./pages.ts";
export { detailsActions, detailsSelect, detailsUses, settingsPress, showDetails } from "./show.ts";
