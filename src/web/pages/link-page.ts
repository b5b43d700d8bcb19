import { html } from "hono/html";
import { minuteMs } from "../../clock.ts";
import { isIncluded, type LinkVisit, linkPermissions, type Permission } from "../../oauth/index.ts";
import type { LinkOutcome } from "../cookies.ts";
import {
  framePage,
  isolatedName,
  type LinkPageHtml,
  type PageContext,
  sentence,
  stepList,
} from "./page-frame.ts";

interface LinkPageParts {
  readonly visit: LinkVisit;
  /** Where the browser proves who it is. */
  readonly identityPath: string;
  readonly now: number;
}

/** Shows who asks for which permissions, and lets the person decide. Nothing happens until a button is pressed. */
export function linkPage(place: PageContext, parts: LinkPageParts): LinkPageHtml {
  const { translator } = place;
  const { visit } = parts;
  const server = isolatedName(visit.serverName);
  const user = isolatedName(visit.userName);
  const isProven = !visit.wantsIdentity && !visit.endsWithCode;
  const minutes = Math.max(1, Math.ceil((visit.endsAt.getTime() - parts.now) / minuteMs));
  return framePage(place, {
    title: translator.say("web.title"),
    content: html`
      ${stepList(place, visit.wantsIdentity ? "check" : "allow")}
      <div class="opening">
        <h1>${sentence(translator, "web.link.heading", { guild: server })}</h1>
        <p class="lead">${sentence(translator, "web.link.who", { user })}</p>
        ${isProven ? "" : html`<p class="lead">${translator.say("web.link.not_you")}</p>`}
        ${visit.endsWithCode ? html`<p class="lead">${translator.say("web.link.code")}</p>` : ""}
      </div>
      ${visit.wantsIdentity ? identityForm(place, parts) : ticksForm(place, parts)}
      ${promises(place, server)}
      <p class="note">${translator.say("web.link.left", { minutes })}</p>
    `,
  });
}

function identityForm({ translator }: PageContext, { identityPath }: LinkPageParts): LinkPageHtml {
  return html`
    <form method="post" action="${identityPath}">
      <p>${translator.say("web.link.prove")}</p>
      <button>${translator.say("web.link.to_discord")}</button>
    </form>
  `;
}

function ticksForm({ translator }: PageContext, { visit }: LinkPageParts): LinkPageHtml {
  return html`
    <form method="post">
      <fieldset>
        <legend>${translator.say("web.link.question")}</legend>
        ${linkPermissions.map((one) => (one === always ? fixedTick(translator) : tick(translator, one, visit)))}
      </fieldset>
      <button>${translator.say("web.link.to_account")}</button>
      <p class="note">${translator.say("web.link.afterwards")}</p>
    </form>
  `;
}

/** Always requested, because without it the linked channel would stay unknown. */
const always: Permission = "read";

function fixedTick(translator: PageContext["translator"]): LinkPageHtml {
  return html`
    <div class="tick fixed">
      <input type="hidden" name="permission" value="${always}">
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 10.5 8.3 15 16 5.5" /></svg>
      <span>
        <b>${translator.say(`web.permissions.${always}.title`)}</b>
        <small>${translator.say(`web.permissions.${always}.text`)}</small>
        <small>${translator.say("web.link.always")}</small>
      </span>
    </div>
  `;
}

function tick(
  translator: PageContext["translator"],
  permission: Permission,
  visit: LinkVisit,
): LinkPageHtml {
  const isTicked = visit.permissions.includes(permission);
  return html`
    <label class="tick">
      <input type="checkbox" name="permission" value="${permission}" ${isTicked ? "checked" : ""}>
      <span>
        <b>${translator.say(`web.permissions.${permission}.title`)}</b>
        <small>${translator.say(`web.permissions.${permission}.text`)}</small>
        ${permission === "upload" ? html`<small>${translator.say("web.permissions.upload.included")}</small>` : ""}
      </span>
    </label>
  `;
}

const kept = ["asked", "password", "alone", "back"] as const;

/** What the bot will never do, which matters as much for the decision as what it does. */
function promises({ translator }: PageContext, server: LinkPageHtml): LinkPageHtml {
  return html`
    <section class="promises">
      <h2>${translator.say("web.promises.heading")}</h2>
      <ul>
        ${kept.map((one) => html`<li>${sentence(translator, `web.promises.${one}`, { guild: server })}</li>`)}
      </ul>
    </section>
  `;
}

/** Uploading can't be left out where running the channel is allowed, so it says where it comes from. */
function permissionName(
  translator: PageContext["translator"],
  one: Permission,
  granted: readonly Permission[],
): string {
  const title = translator.say(`web.permissions.${one}.title`);
  if (one !== "upload" || !isIncluded(one, granted)) return title;
  return translator.say("web.permissions.with", {
    title,
    other: translator.say("web.permissions.comments.title"),
  });
}

/** Whoever sends their own link to a channel's owner can't link the channel without this code. */
function codeBox({ translator }: PageContext, code: string): LinkPageHtml {
  return html`
    <section class="code" aria-labelledby="code-label">
      <p id="code-label">${translator.say("web.done.code")}</p>
      <p class="digits">${code}</p>
      <p>${translator.say("web.done.secret")}</p>
    </section>
  `;
}

/** The last page: the consent is given, and Discord asks what to do with it. */
export function donePage(
  place: PageContext,
  { channel, permissions, guildId, answerTo, code }: LinkOutcome,
  discordUrl: string,
): LinkPageHtml {
  const { translator } = place;
  const back = ["channels", guildId, ...(answerTo.channelId ? [answerTo.channelId] : [])];
  return framePage(place, {
    title: translator.say("web.done.heading"),
    content: html`
      ${stepList(place, "confirm")}
      <div class="opening">
        <h1>${translator.say("web.done.heading")}</h1>
        <p class="lead">${sentence(translator, "web.done.text", { channel: isolatedName(channel.title) })}</p>
      </div>
      ${code === undefined ? "" : codeBox(place, code)}
      <section class="channel">
        <p class="title">${isolatedName(channel.title)}</p>
        <ul class="granted" aria-label="${translator.say("web.done.granted")}">
          ${permissions.map((one) => html`<li>${permissionName(translator, one, permissions)}</li>`)}
        </ul>
      </section>
      <a class="button" href="${new URL(back.join("/"), `${discordUrl}/`).href}">${translator.say("web.done.back")}</a>
      <p>${translator.say("web.done.other")}</p>
      ${code === undefined ? html`<p class="note">${translator.say("web.done.close")}</p>` : ""}
    `,
  });
}
