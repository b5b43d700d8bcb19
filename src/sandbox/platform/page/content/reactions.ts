import { html, nothing, type TemplateResult } from "lit";
import { emoji } from "./emoji.ts";
import type { Scene } from "./scene.ts";

/** Emoji below a message with how many chose them; a press chooses one too, or gives it up. */
export function reactions({ message, desk }: Scene): TemplateResult | typeof nothing {
  if (!message.reactions?.length) return nothing;
  return html`<div class="reactions" role="group" aria-label="Reactions">
    ${message.reactions.map(({ emoji: one, count, me }) => {
      const { id, name } = one;
      const key = id === null ? `${name}` : `${name}:${id}`;
      return html`<button
        type="button"
        class="reaction"
        aria-pressed=${me}
        aria-label="${name}, ${count}"
        @click=${() => desk.react(message, key)}
      >
        ${emoji({ name: name ?? "", ...(id === null ? {} : { id }) })}<span>${count}</span>
      </button>`;
    })}
  </div>`;
}
