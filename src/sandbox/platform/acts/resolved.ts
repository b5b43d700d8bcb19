import type { PersonName } from "../../types.ts";
import { personNames } from "../cast.ts";
import type { Upload } from "../files.ts";
import { ActError } from "../interaction.ts";
import { memberOf } from "../members.ts";
import { maySee, permissionsIn, shownPlace } from "../places.ts";
import { personById, type World } from "../world.ts";
import type { Uploads } from "./uploads.ts";

type Entities = Record<string, Record<string, unknown>>;

/** Collects what ids in an interaction stand for. */
export interface Resolved {
  user(id: string): void;
  role(id: string): void;
  /** @throws ActError where it is not one of these types. */
  channel(id: string, types?: readonly unknown[]): void;
  mentionable(id: string): void;
  /** Puts a chosen file on the CDN once `check` let it pass; answers its attachment id. */
  file(id: string, check?: (upload: Upload) => void): string;
  /** Undefined while there is nothing. */
  value(): Entities | undefined;
}

interface ResolvedDeps {
  readonly world: World;
  readonly uploads: Uploads;
  readonly person: PersonName;
  /** Where they act. */
  readonly channelId: string;
}

export function createResolved({ world, uploads, person, channelId }: ResolvedDeps): Resolved {
  const found: Entities = {};

  function add(kind: string, id: string, value: unknown): void {
    found[kind] = { ...found[kind], [id]: value };
  }

  const resolved: Resolved = {
    user(id) {
      const name = personById(world, id);
      if (name === undefined && id !== world.cast.bot.id)
        throw new ActError("No such person here.");
      add("users", id, name === undefined ? world.cast.bot : world.person(name).user);
      const whole = memberOf(world, world.cast.guildId, id);
      if (name === undefined || whole === undefined) return;
      const { user: _, deaf: __, mute: ___, ...member } = whole;
      const permissions = String(permissionsIn(world, channelId, name));
      add("members", id, { ...member, permissions });
    },
    role(id) {
      const role = world.cast.roles.find((each) => each.id === id);
      if (role === undefined) throw new ActError("No such role here.");
      add("roles", id, role);
    },
    channel(id, types) {
      const channel = maySee(world, id, person) ? shownPlace(world, id) : undefined;
      if (channel === undefined) throw new ActError("No such channel here.");
      if (types?.includes(channel.type) === false) {
        throw new ActError(`Another kind of channel is needed than "${channel.name}".`);
      }
      add("channels", id, {
        ...channel,
        permissions: String(permissionsIn(world, id, person)),
        app_permissions: String(permissionsIn(world, id, "bot")),
      });
    },
    mentionable(id) {
      const isPerson = personNames.some((name) => world.person(name).user.id === id);
      if (isPerson || id === world.cast.bot.id) resolved.user(id);
      else resolved.role(id);
    },
    file(id, check = () => undefined) {
      const upload = uploads.take(id);
      check(upload);
      const file = world.files.add(upload, world.cast.bot.id, true);
      add("attachments", file.id, world.files.attachment(file));
      return file.id;
    },
    value: () => (Object.keys(found).length > 0 ? found : undefined),
  };
  return resolved;
}
