const readWriteDelete = ['read', 'write', 'delete'] as const

/** Areas to which an API token can be limited, and the permitted actions (docs/contract/CONTRACT.md#51-account). */
const areas = {
  inventory: ['read', 'delete'],
  server: [...readWriteDelete, 'exec'],
  service: readWriteDelete,
  alertrule: readWriteDelete,
  cron: [...readWriteDelete, 'exec'],
  ddns: readWriteDelete,
  nat: readWriteDelete,
  notification: readWriteDelete,
  'notification-group': readWriteDelete,
  transfer: readWriteDelete,
} as const

type Areas = typeof areas
type AreaScope = { [Area in keyof Areas]: `nezha:${Area}:${Areas[Area][number]}` }[keyof Areas]

/** An action on the records of an entity that only this server has: `wheelhouse:<entity>:<verb>`. */
export type OwnScope = `wheelhouse:${string}:${'read' | 'write' | 'delete' | 'exec'}`

/**
 * What a call needs of an API token: an action of an area or of an entity, or `nezha:admin:*` for what only
 * administrators may do.
 */
export type TokenScope = AreaScope | OwnScope | 'nezha:admin:*'

/** `nezha:<area>:<verb>`, with the verb `*` for a whole area. */
export const contractScopes: readonly string[] = Object.entries(areas).flatMap(([area, verbs]) =>
  [...verbs, '*'].map((verb) => `nezha:${area}:${verb}`),
)
/** Only administrators may create tokens with these. */
export const adminScopes: readonly string[] = ['nezha:admin:*', 'nezha:*']

/** The scope of everything in the area of a scope. */
export const wholeArea = (scope: string): string => `${scope.slice(0, scope.lastIndexOf(':'))}:*`

/** Whether the scopes of a token include what a call needs. */
export function includesScope(granted: readonly string[], needed: TokenScope): boolean {
  return granted.includes(needed) || granted.includes(wholeArea(needed)) || granted.includes('nezha:*')
}

/** The scopes of the verbs of an entity whose area has reading, writing and deleting. */
export const scopesOfArea = <Area extends Exclude<keyof Areas, 'inventory'>>(area: Area) =>
  ({
    list: `nezha:${area}:read`,
    create: `nezha:${area}:write`,
    update: `nezha:${area}:write`,
    delete: `nezha:${area}:delete`,
  }) as const

/** Scopes for the verbs of an entity that belongs to none of the areas. @param name the entity's */
export const ownScopes = <Name extends string>(name: Name) =>
  ({
    list: `wheelhouse:${name}:read`,
    create: `wheelhouse:${name}:write`,
    update: `wheelhouse:${name}:write`,
    delete: `wheelhouse:${name}:delete`,
  }) as const

/** The scopes of entities that are for administrators. */
export const scopesOfAdmin = {
  list: 'nezha:admin:*',
  create: 'nezha:admin:*',
  update: 'nezha:admin:*',
  delete: 'nezha:admin:*',
} as const
