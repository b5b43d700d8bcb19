import type { APIGuildForumTag } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import type { PageSession } from "../page-session.ts";
import type { PageState } from "../state/page.ts";
import { channelOf } from "../state/place.ts";
import { isArchived, postsIn, type ShownPost } from "../state/posts.ts";
import { postCard, tagFace } from "./post-card.ts";

/** `<page-forum>`: the posts of a forum, which may be narrowed down to some tags. */
class PageForum extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    wanted: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  /** Ids of tags that a post must have one of; all posts when empty. */
  declare wanted: readonly string[];

  constructor() {
    super();
    this.wanted = [];
  }

  override firstUpdated(): void {
    // Whoever comes back from a post goes on where they were.
    const { lastPost } = this.session;
    const card = lastPost && this.querySelector(`[data-post-id="${CSS.escape(lastPost)}"]`);
    if (!card) return;
    card.scrollIntoView({ block: "nearest" });
    card.querySelector<HTMLElement>(".post-open")?.focus();
  }

  override render(): TemplateResult {
    const { channelId } = this.state;
    const tags = channelOf(this.state, channelId)?.available_tags ?? [];
    const known = this.wanted.filter((id) => tags.some((tag) => tag.id === id));
    const posts = postsIn(this.state, channelId).filter(
      (post) => known.length === 0 || post.tags.some(({ id }) => known.includes(id)),
    );
    const active = posts.filter((post) => !isArchived(post));
    const older = posts.filter(isArchived);
    return html`<div class="forum-scroller" tabindex="0" role="region" aria-label="Posts">
      ${tags.length > 0 ? this.#filter(tags, known) : nothing}
      ${posts.length === 0 ? this.#empty(known.length > 0) : nothing}
      ${this.#list(active, "Posts")}
      ${older.length > 0 ? html`<h2 class="older">Older posts</h2>` : nothing}
      ${this.#list(older, "Older posts")}
    </div>`;
  }

  #list(posts: readonly ShownPost[], label: string): TemplateResult | typeof nothing {
    if (posts.length === 0) return nothing;
    return html`<ul class="posts" aria-label=${label}>
      ${repeat(
        posts,
        ({ thread }) => thread.id,
        (post) => postCard(this.state, post, (id) => this.session.openPost(id)),
      )}
    </ul>`;
  }

  #filter(tags: readonly APIGuildForumTag[], wanted: readonly string[]): TemplateResult {
    return html`<div class="tag-filter" role="group" aria-label="Filter by tag">
      ${tags.map(
        (tag) => html`<button
          type="button"
          class="tag"
          aria-pressed=${wanted.includes(tag.id)}
          @click=${() => {
            const rest = wanted.filter((id) => id !== tag.id);
            this.wanted = rest.length < wanted.length ? rest : [...wanted, tag.id];
          }}
        >
          ${tagFace(tag)}
        </button>`,
      )}
    </div>`;
  }

  #empty(isNarrowed: boolean): TemplateResult {
    return html`<div class="forum-empty" role="status">
      <span class="welcome-mark">${icons.forum}</span>
      <p>${isNarrowed ? "No posts with these tags." : "There are no posts here yet."}</p>
    </div>`;
  }
}

customElements.define("page-forum", PageForum);
