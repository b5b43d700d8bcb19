import { html } from "hono/html";
import { type Permission, permissions, type Visit } from "../../oauth/index.ts";
import { framed, type Html, name, type Place, sentence, steps } from "./frame.ts";

interface LinkPageParts {
  readonly visit: Visit;
  /** Where the browser proves who it is. */
  readonly identityPath: string;
  readonly now: number;
}

/** Says who asks for what, and lets the person decide: nothing has happened before a button is pressed. */
export function linkPage(place: Place, parts: LinkPageParts): Html {
  const { speech } = place;
  const { visit } = parts;
  const guild = name(visit.guildName);
  const user = name(visit.userName);
  const isProven = !visit.wantsIdentity && visit.code === undefined;
  return framed(place, {
    title: speech.say("web.title"),
    content: html`
      ${steps(place, isProven ? "allow" : "check")}
      <div class="opening">
        <h1>${sentence(speech, "web.link.heading", { guild })}</h1>
        <p class="lead">${sentence(speech, "web.link.who", { user })}</p>
        ${isProven ? "" : html`<p class="lead">${speech.say("web.link.not_you")}</p>`}
      </div>
      ${visit.code === undefined ? "" : codeBox(place, visit.code)}
      ${visit.wantsIdentity ? identityForm(place, parts) : ticksForm(place, parts)}
      ${promises(place, guild)}
      <p class="note">${timeLeft(place, parts)}</p>
    `,
  });
}

function codeBox({ speech }: Place, code: string): Html {
  return html`
    <section class="code" aria-labelledby="code-label">
      <p id="code-label">${speech.say("web.link.code")}</p>
      <p class="digits">${code}</p>
      <p>${speech.say("web.link.compare")}</p>
    </section>
  `;
}

function identityForm({ speech }: Place, { identityPath }: LinkPageParts): Html {
  return html`
    <form method="post" action="${identityPath}">
      <p>${speech.say("web.link.prove")}</p>
      <button>${speech.say("web.link.to_discord")}</button>
    </form>
  `;
}

function ticksForm({ speech }: Place, { visit }: LinkPageParts): Html {
  return html`
    <form method="post">
      <fieldset>
        <legend>${speech.say("web.link.question")}</legend>
        ${permissions.map((one) => (one === always ? fixed(speech) : tick(speech, one, visit)))}
      </fieldset>
      <button>${speech.say("web.link.to_account")}</button>
      <p class="note">${speech.say("web.link.afterwards")}</p>
    </form>
  `;
}

/** Is asked for with everything else: without it nobody would learn which channel was linked. */
const always: Permission = "read";

function fixed(speech: Place["speech"]): Html {
  return html`
    <div class="tick fixed">
      <input type="hidden" name="permission" value="${always}">
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 10.5 8.3 15 16 5.5" /></svg>
      <span>
        <b>${speech.say(`web.permissions.${always}.title`)}</b>
        <small>${speech.say(`web.permissions.${always}.text`)}</small>
        <small>${speech.say("web.link.always")}</small>
      </span>
    </div>
  `;
}

function tick(speech: Place["speech"], permission: Permission, visit: Visit): Html {
  const isTicked = visit.permissions.includes(permission);
  return html`
    <label class="tick">
      <input type="checkbox" name="permission" value="${permission}" ${isTicked ? "checked" : ""}>
      <span>
        <b>${speech.say(`web.permissions.${permission}.title`)}</b>
        <small>${speech.say(`web.permissions.${permission}.text`)}</small>
      </span>
    </label>
  `;
}

const kept = ["asked", "password", "alone", "back"] as const;

/** What this will never do; people decide by it as much as by what it does. */
function promises({ speech }: Place, guild: Html): Html {
  return html`
    <section class="promises">
      <h2>${speech.say("web.promises.heading")}</h2>
      <ul>
        ${kept.map((one) => html`<li>${sentence(speech, `web.promises.${one}`, { guild })}</li>`)}
      </ul>
    </section>
  `;
}

const minuteMs = 60_000;

function timeLeft({ speech }: Place, { visit, now }: LinkPageParts): string {
  const minutes = Math.max(1, Math.ceil((visit.endsAt.getTime() - now) / minuteMs));
  return speech.say("web.link.left", { minutes });
}
