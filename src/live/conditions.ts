import type { ServerConditions } from '../schemas/inspect/conditions.ts'
import { createServerFacts } from './serverFacts.ts'

/** What servers said that alert rules ask of them. */
export const conditions = createServerFacts<ServerConditions>()

export type ConditionName = Exclude<keyof ServerConditions, 'server_id'>
