import {
  array,
  type Check,
  type CheckedFields,
  httpUrl,
  isObject,
  object,
  oneOfValues,
} from "../check/check.ts";
import { takeFirstAnswer } from "../first-answer.ts";
import type { GatewayEvent } from "../gateway-session.ts";
import { failInteraction, firstAnswerMs } from "../interaction.ts";
import { demand, failField, Rejection } from "../rejection.ts";
import { type RestExchange, receiveRestBody } from "../rest/request.ts";
import type { PlatformState, StoredInteraction } from "../state.ts";
import { createSignedPoster, type EndpointResponse, type SignedPoster } from "./signed-post.ts";

export interface ApplicationEndpointsDeps {
  readonly state: PlatformState;
  /** How often an interaction is followed by a request with a false signature: 0 never, 1 always. */
  readonly falseSignatures: number;
  readonly onExchange: (exchange: RestExchange) => void;
  readonly onEvent: (event: GatewayEvent) => void;
}

/** What Discord posts to the application's own addresses, signed. */
export interface ApplicationEndpoints {
  /**
   * Changes the addresses as their owner would; a new one is tried with a good and a false signature first.
   * @throws Rejection 50035 for one that does not answer as it must.
   */
  change(changes: CheckedFields): Promise<void>;
  /** Whether interactions are posted; then none goes over the gateway. */
  takesInteractions(): boolean;
  /** Posts an interaction once; the response is its first answer. */
  deliver(interaction: StoredInteraction, payload: object): void;
  /** Posts a webhook event to an application that wants it; answers whether it was taken. */
  sendEvent(type: string, data: object): Promise<boolean>;
  close(): void;
}

// https://docs.discord.com/developers/events/webhook-events
const eventTypes = ["APPLICATION_AUTHORIZED", "APPLICATION_DEAUTHORIZED"];
const [eventsOff, eventsOn] = [1, 2];
const [pingEvent, realEvent] = [0, 1];
const pong = 1;

/** An empty text removes an address, as null does. */
const address: Check = (value, report) => (value === "" ? undefined : httpUrl(value, report));

const changeable = object({
  interactions_endpoint_url: address,
  event_webhooks_url: address,
  event_webhooks_status: oneOfValues([eventsOff, eventsOn]),
  event_webhooks_types: array(oneOfValues(eventTypes), 0, eventTypes.length),
});

export function createApplicationEndpoints(deps: ApplicationEndpointsDeps): ApplicationEndpoints {
  const { state, onEvent } = deps;
  const { application } = state;
  const poster = createSignedPoster(application.key, state.now);
  const post = (url: string, body: object, isForged = false) =>
    poster.post({ url, body, isForged, timeoutMs: firstAnswerMs });

  async function refusesForged(url: string, body: object): Promise<boolean> {
    const { status } = await post(url, body, true);
    return status === 401;
  }

  /** Whether an address takes the ping, and refuses it with a false signature. */
  async function isSound(
    url: string,
    ping: object,
    isTaken: (response: EndpointResponse) => boolean,
  ): Promise<boolean> {
    try {
      return isTaken(await post(url, ping)) && (await refusesForged(url, ping));
    } catch {
      return false;
    }
  }

  async function setInteractionsUrl(url: string | null): Promise<void> {
    if (url !== null && !(await isSound(url, interactionPing(state), isPong))) {
      failField(
        ["interactions_endpoint_url"],
        "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID",
        "The specified interactions endpoint URL could not be verified.",
      );
    }
    application.interactionsUrl = url;
    state.publish({ type: "online", online: isReachable(state) });
  }

  async function setEventsUrl(url: string | null): Promise<void> {
    if (url !== null && !(await isSound(url, eventPing(state), ({ status }) => status === 204))) {
      failField(
        ["event_webhooks_url"],
        "APPLICATION_EVENT_WEBHOOKS_URL_INVALID",
        "The specified event webhooks URL could not be verified.",
      );
    }
    application.eventsUrl = url;
    if (url === null) application.eventsStatus = eventsOff;
  }

  /** The address is taken away from who does not refuse a false signature. */
  async function probe(url: string): Promise<void> {
    // One that is not reached has not taken it either.
    const isRefused = await refusesForged(url, interactionPing(state)).catch(() => true);
    if (isRefused || application.interactionsUrl !== url) return;
    await setInteractionsUrl(null);
  }

  return {
    async change(changes) {
      demand(changeable, changes);
      const { interactions_endpoint_url: interactions, event_webhooks_url: events } = changes;
      if (interactions !== undefined) await setInteractionsUrl(readAddress(interactions));
      if (events !== undefined) await setEventsUrl(readAddress(events));
      const { event_webhooks_status: status, event_webhooks_types: types } = changes;
      if (status !== undefined) application.eventsStatus = Number(status ?? eventsOff);
      if (types !== undefined) application.eventTypes = Array.isArray(types) ? types : [];
    },
    takesInteractions: () => application.interactionsUrl !== null,
    deliver(interaction, payload) {
      const url = application.interactionsUrl;
      if (url === null) return;
      onEvent({ name: "INTERACTION_CREATE", data: payload });
      void deliver(deps, interaction, post(url, payload));
      if (deps.falseSignatures > 0 && state.random() < deps.falseSignatures) void probe(url);
    },
    async sendEvent(type, data) {
      const { eventsUrl, eventsStatus, eventTypes: wanted } = application;
      if (eventsUrl === null || eventsStatus !== eventsOn || !wanted.includes(type)) return false;
      const event = { type, timestamp: new Date(state.now()).toISOString(), data };
      const body = { ...eventPing(state), type: realEvent, event };
      const taken = post(eventsUrl, body).then(({ status }) => status === 204);
      return taken.catch(() => false);
    },
    close: poster.close,
  };
}

/** Whether somebody answers interactions: a bot at the gateway, or an address. */
export function isReachable({ isOnline, application }: PlatformState): boolean {
  return isOnline || application.interactionsUrl !== null;
}

function readAddress(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function interactionPing({ guild, nextId }: PlatformState): object {
  return {
    id: nextId(),
    application_id: guild.bot.id,
    type: 1,
    token: "aW50ZXJhY3Rpb246cGluZw",
    version: 1,
    user: guild.people.owner.user,
    app_permissions: "0",
    authorizing_integration_owners: {},
    entitlements: [],
  };
}

function eventPing({ guild }: PlatformState): object {
  return { version: 1, application_id: guild.bot.id, type: pingEvent };
}

/** @throws SyntaxError for a body that is no JSON. */
function isPong({ status, body }: EndpointResponse): boolean {
  if (status !== 200) return false;
  const answer: unknown = JSON.parse(body.toString());
  return isObject(answer) && answer.type === pong;
}

/** Waits for the response; what is no answer, or comes too late, fails the interaction. */
async function deliver(
  deps: ApplicationEndpointsDeps,
  interaction: StoredInteraction,
  responding: ReturnType<SignedPoster["post"]>,
): Promise<void> {
  const { state } = deps;
  try {
    const response = await responding;
    const why = await takeResponse(deps, interaction, response);
    if (why !== undefined) failInteraction(state, interaction, `as it must: ${why}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    failInteraction(state, interaction, `as it must: ${why}`);
  }
}

/** Answers why the response is none; undefined when it was taken, or when the callback route answers. */
async function takeResponse(
  { state, onExchange }: ApplicationEndpointsDeps,
  interaction: StoredInteraction,
  { status, type, body }: EndpointResponse,
): Promise<string | undefined> {
  if (interaction.state !== "open") return undefined;
  if (status < 200 || status > 299) return `its endpoint answered ${status}`;
  if (body.length === 0 && status !== 200) return undefined;
  const exchange = {
    method: "POST",
    path: `/interactions/${interaction.id}/${interaction.token}/callback`,
    query: "",
    requestFiles: [],
  };
  try {
    const received = await receiveRestBody(
      new Request(state.origin, { method: "POST", headers: { "content-type": type }, body }),
      state.attachmentLimit,
    );
    const files = [...received.uploads.values()];
    const requestFiles = files.map((file) => ({ ...file, bytes: file.data.byteLength }));
    const sent = { ...exchange, requestFiles, requestBody: received.json };
    try {
      takeFirstAnswer(state, interaction, received);
      onExchange({ ...sent, status: 204, responseBody: undefined });
      return undefined;
    } catch (error) {
      if (error instanceof Rejection)
        onExchange({ ...sent, status: error.status, responseBody: error.body() });
      throw error;
    }
  } catch (error) {
    if (error instanceof Rejection)
      return `its answer was refused: ${JSON.stringify(error.body())}`;
    throw error;
  }
}
