import { type Check, type CheckedFields, isObject } from "./check.ts";

/** Every component of a tree, with the path that leads to it. */
export function* walkComponents(
  components: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly component: CheckedFields; readonly path: readonly (string | number)[] }> {
  if (!Array.isArray(components)) return;
  for (const [index, component] of components.entries()) {
    if (!isObject(component)) continue;
    const here = [...path, index];
    yield { component, path: here };
    yield* walkComponents(component.components, [...here, "components"]);
    for (const field of ["accessory", "component"]) {
      const inner = component[field];
      if (!isObject(inner)) continue;
      yield { component: inner, path: [...here, field] };
      yield* walkComponents(inner.components, [...here, field, "components"]);
    }
  }
}

/** Custom ids and numeric ids occur once in a message or form. */
export const distinctIds: Check = (value, report) => {
  for (const key of ["custom_id", "id"] as const) {
    const seen = new Set<unknown>();
    for (const { component, path } of walkComponents(value)) {
      const part = component[key];
      // 0 asks for a generated id.
      if (part === undefined || part === null || part === 0) continue;
      if (seen.has(part)) {
        const name = key === "id" ? "COMPONENT_ID_DUPLICATED" : "COMPONENT_CUSTOM_ID_DUPLICATED";
        const words = key === "id" ? "Component id" : "Component custom id";
        path
          .reduce((at, field) => at.at(field), report)
          .at(key)
          .fail(name, `${words} cannot be duplicated`);
      }
      seen.add(part);
    }
  }
};
