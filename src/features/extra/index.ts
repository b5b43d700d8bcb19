/** The option `extra`: every parameter and body field of a method that has no option of its own. */

export {
  type Extra,
  freePlaces,
  noExtra,
  readExtra,
  refusePaging,
  requirePageSize,
  suggestExtra,
  withExtra,
  withPlace,
} from "./extra.ts";
export { type FieldType, type MethodPlace, placeSpec, requiredBeside } from "./method-fields.ts";
export { partColumns, partFields, partLines, requestedParts } from "./requested-parts.ts";
