import type { Machines } from '../machines.ts'
import type { Behaviours } from './behaviour.ts'
import { serverBehaviour } from './server.ts'
import { serverGroup } from './serverGroup.ts'

export interface BehaviourServices {
  machines: Machines
  /** A user's name by id; `undefined` when there is none. */
  usernameOf: (id: number) => string | undefined
}

/** What saving, deleting and showing mean, by entity name. An entity without an entry is a plain record. */
export function createBehaviours({ machines, usernameOf }: BehaviourServices): Behaviours {
  return { server: serverBehaviour(machines, usernameOf), 'server-group': serverGroup }
}
