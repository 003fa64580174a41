export type ChangeVerb = 'update' | 'delete'

/** Names an action: writes of one group that concern another entity are an entry of their own. */
export const actionKey = (group: string, entity: string, verb: ChangeVerb): string => `${group}.${entity}.${verb}`
