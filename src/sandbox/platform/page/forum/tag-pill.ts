import type { APIGuildForumTag } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { emoji } from "../content/emoji.ts";

export function tagFace(tag: APIGuildForumTag): TemplateResult {
  const { emoji_id: id, emoji_name: name } = tag;
  const sign = id || name ? emoji({ ...(id && { id }), ...(name && { name }) }) : nothing;
  return html`${sign}<span>${tag.name}</span>`;
}

export function tagPill(tag: APIGuildForumTag): TemplateResult {
  return html`<span class="tag" role="listitem">${tagFace(tag)}</span>`;
}
