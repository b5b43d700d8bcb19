/** The option `extra`: every parameter and body field of a row that has no option of its own. */

export {
  type Extra,
  freePlaces,
  noExtra,
  readExtra,
  refusePaging,
  requirePageSize,
  suggestExtra,
  withExtra,
} from "./extra.ts";
export { partColumns, partFields, partLines, requestedParts } from "./requested-parts.ts";
export { type FieldType, placeSpec, type RowPlace, requiredBeside } from "./row-fields.ts";
