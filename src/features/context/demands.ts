import { type HandlerDeclaration, type Rank, reaches } from "../../discord/index.ts";
import type { Facts } from "../../errors.ts";
import type { CredentialKind } from "../../store/index.ts";
import { type Method, type MethodSpec, methods, needsToken } from "../../video/index.ts";

/** What a handler requires of the person and the server. */
export interface Demands extends HandlerDeclaration {
  /** Lowest rank that may use it; when absent, what its method does decides. */
  readonly rank?: Rank;
  /** The video method that it is about; its authorisation and effect are derived from it. */
  readonly method?: Method;
  /** Methods that it calls besides, or instead of one. */
  readonly uses?: readonly Method[];
  /** Credentials it needs beyond those that its methods need. */
  readonly needs?: readonly CredentialKind[];
  /** Credentials that it uses when the server has them. */
  readonly wants?: readonly CredentialKind[];
  /** Running it again changes nothing and costs nothing more, although no method says so. */
  readonly isRepeatable?: true;
  /** It shows another page of a list that is open already. */
  readonly turnsPage?: true;
}

/** Methods for moderators: deciding about comments, and answering them. */
export const moderatingMethods: ReadonlySet<Method> = new Set([
  "comments.setModerationStatus",
  "comments.insert",
]);

/**
 * The lowest rank: the declared one, or the one for what the method does.
 * docs/decisions.md#reads-that-need-a-token-are-for-moderators
 */
export function rankFor({ rank, method }: Demands): Rank {
  if (rank !== undefined) return rank;
  if (method === undefined) return "member";
  const spec: MethodSpec = methods[method];
  if (moderatingMethods.has(method)) return "moderator";
  if (spec.effect !== "read") return "manager";
  return spec.auth === "token" ? "moderator" : "member";
}

/** Whether the parameters ask for what only the linked channel can read: an owner's part, or a list of its own. */
export function asksOwnView(
  { method }: Demands,
  params: Readonly<Record<string, unknown>>,
): boolean {
  if (method === undefined || methods[method].auth === "token") return false;
  return needsToken(methods[method], params);
}

/** The same demands for reading as the linked channel, which is for moderators and above. */
export function ownViewDemands<D extends Demands>(demands: D): D {
  const rank = rankFor(demands);
  return {
    ...demands,
    rank: reaches(rank, "moderator") ? rank : "moderator",
    needs: [...(demands.needs ?? []), "channel"],
  };
}

/** Whether an answer about that method is for the person alone unless it says otherwise. */
export function isPrivate({ method }: Demands): boolean {
  if (method === undefined) return false;
  const spec: MethodSpec = methods[method];
  return spec.effect !== "read" || spec.auth === "token";
}

/**
 * Whether it may run again after its process ended halfway: it says so, or all that it calls only reads. Pictures only where
 * results that were paid for are found again.
 */
export function mayRepeat(
  { method, uses = [], needs = [], isRepeatable }: Demands,
  { keepsResults }: { readonly keepsResults: boolean },
): boolean {
  if (needs.includes("background-key") && !keepsResults) return false;
  if (isRepeatable === true) return true;
  if (method === undefined || needs.includes("background-key")) return false;
  return [method, ...uses].every((called) => methods[called].effect === "read");
}

/** Whether it could change something, or cost credits. */
export function mayChange({ method, uses = [], needs = [], isRepeatable }: Demands): boolean {
  if (needs.includes("background-key")) return true;
  if (isRepeatable === true) return false;
  const called = method === undefined ? uses : [method, ...uses];
  return called.length === 0 || called.some((each) => methods[each].effect !== "read");
}

/** Where people see whether its method was done: the facts that the video room has for an answer that was lost. */
export function whereToLook({ method }: Demands): Facts {
  const spec: MethodSpec | undefined = method && methods[method];
  if (spec?.lookup === undefined) return {};
  return { isUndecided: true, method: `${method}`, lookAt: spec.lookup.method };
}

/** What the methods of a handler need: nothing, any credential that can read, or the linked channel. */
export function videoDemand({
  method,
  uses = [],
  needs = [],
}: Demands): "none" | "any" | "channel" {
  if (needs.includes("channel")) return "channel";
  const called = [...(method === undefined ? [] : [method]), ...uses];
  if (called.length === 0) return needs.includes("video-key") ? "any" : "none";
  const isTokenOnly = method !== undefined && methods[method].auth === "token";
  return isTokenOnly ? "channel" : "any";
}

/** Whether it makes a difference which of the linked channels it acts as. */
export function actsAsChannel({ method, uses = [], needs = [] }: Demands): boolean {
  const called = [...(method === undefined ? [] : [method]), ...uses];
  const mayNeedToken = called.some((each) => {
    const { auth, query }: MethodSpec = methods[each];
    return auth === "token" || Object.values(query).some((spec) => spec.needsToken !== undefined);
  });
  return needs.includes("channel") || mayNeedToken;
}
