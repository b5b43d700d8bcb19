import { html, nothing, type TemplateResult } from "lit";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page.ts";

/** Who else is about to write here. */
export function typingLine(state: PageState): TemplateResult {
  const { hello, channelId } = state;
  const names = createNames(hello);
  const others = state.typing.filter(
    (one) => one.channelId === channelId && one.userId !== hello?.me.user.id,
  );
  const who = others.map(({ userId }) => names.user(userId)).join(", ");
  const verb = others.length === 1 ? "is" : "are";
  return html`<div class="typing-line" role="status">
    ${who === "" ? nothing : html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span><strong>${who}</strong> ${verb} typing…</span>`}
  </div>`;
}
