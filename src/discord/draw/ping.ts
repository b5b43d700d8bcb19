import { ComponentType } from "discord.js";
import { componentsV2, type Payload, type Rendered } from "./render.ts";
import { roleMention } from "./text.ts";

/** The same message with a line that calls one role, and nobody else. */
export function withPing({ payload, files }: Rendered, roleId: string): Rendered {
  const allowed_mentions: Payload["allowed_mentions"] = { parse: [], roles: [roleId] };
  return {
    payload: { ...payload, ...called(payload, roleMention(roleId).markup), allowed_mentions },
    files,
  };
}

/** A message of the newer kind has no content beside its components. */
function called({ flags, content, components }: Payload, line: string): Partial<Payload> {
  if ((flags & componentsV2) === 0) {
    return { content: content === undefined ? line : `${line}\n${content}` };
  }
  return { components: [{ type: ComponentType.TextDisplay, content: line }, ...components] };
}
