import { z } from 'zod'
import { defineEntity } from './entity.ts'
import { facts, name, refs } from './fields.ts'

/** A team as people make it: who is in it, and its servers. */
export const teamForm = z.object({
  name: name(),
  users: refs('user').default([]),
  servers: refs('server').default([]),
})

/** Teams as records name them. They are made and changed by calls of their own: `teamEndpoints`. */
export const team = defineEntity({
  name: 'team',
  scopes: { list: 'nezha:admin:*' },
  form: teamForm,
  api: { path: 'wheelhouse/teams', verbs: [], announced: 'teams' },
})

/**
 * The team that a record belongs to in place of a person; 0: to a person. Embedded server only, and only for those who
 * have to do with a team.
 */
export const ofTeam = () => ({
  team: z
    .int()
    .min(0)
    .register(facts, { kind: 'ref', to: 'team', newer: true, announced: 'teams', leftOut: 'kept' })
    .default(0),
})
