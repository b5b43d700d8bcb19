import type { APIThreadChannel } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import { tagPill } from "../forum/tag-pill.ts";
import type { PageState } from "../state/page.ts";
import { placeOf } from "../state/place.ts";
import { tagsOf } from "../state/posts.ts";

/** Above a post's messages: its title and tags. */
export function postHead(state: PageState, thread: APIThreadChannel): TemplateResult {
  const tags = tagsOf(state, thread);
  return html`<div class="welcome post-head">
    <span class="welcome-mark">${icons.post}</span>
    <h1>${thread.name}</h1>
    ${tags.length > 0 ? html`<div class="tags" role="list" aria-label="Tags">${tags.map((tag) => tagPill(tag))}</div>` : nothing}
  </div>`;
}

/** Over the message box of a post that a moderator closed. */
export function lockedBar(state: PageState): TemplateResult | typeof nothing {
  const { thread } = placeOf(state, state.channelId);
  if (!thread?.thread_metadata?.locked) return nothing;
  return html`<div class="locked-bar" role="status">${icons.lock}<span>This post is locked. Only moderators can write here.</span></div>`;
}
