import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { describeFields } from '../../schemas/define/describe.ts'
import { type EntityName, entityNamed } from '../../schemas/index.ts'
import { useNames } from '../kinds/reference/useNames.tsx'
import { usePersonName } from '../kinds/reference/usePersonName.ts'

/** What values are said with. */
export interface ValueLanguage extends Language {
  /** The name of a record by what the value has of it. */
  nameOf: (entity: NamedEntity, key: string | number) => string
}

/** What values that are JSON name records of. */
type NamedEntity = Extract<EntityName, 'server' | 'service' | 'notification-group' | 'rota' | 'user'>

/** Says a value that is JSON, a line for each part; `undefined` for one that it does not know. */
type SayValue = (value: unknown, language: ValueLanguage) => string[] | undefined

/** By the names of entity and field: `alert-rule.rules`. */
export type ValueWords = Readonly<Record<string, SayValue>>

/** Fetches how values are said: entities know their own words, and no list waits for them. */
export const ValueWordsContext = createContext<() => Promise<ValueWords>>(async () => ({}))

/**
 * Gives values of an entity's fields as text, as its own screens say them.
 * @param by what values have of the records that they name: those of a configuration file have names in place of ids
 */
export function useFieldText(entity: string, by: 'id' | 'name' = 'id'): (field: string, value: unknown) => string {
  const load = use(ValueWordsContext)
  const { data: words, isPending } = useQuery({
    queryKey: ['value words'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const language = useLanguage()
  const nameById = useNameById(by === 'id' ? entity : '')
  const nameOf: ValueLanguage['nameOf'] = by === 'id' ? nameById : (_, name) => String(name)
  return (field, value) => {
    if (value === undefined || value === null) return ''
    if (typeof value !== 'object') return String(value)
    const text = said(() => words?.[`${entity}.${field}`]?.(value, { ...language, nameOf }))
    if (text !== undefined) return text
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
    return isPending ? '…' : JSON.stringify(value, null, 1)
  }
}

/** The names of the records that values of an entity name. @param entity '' for none: then no list is asked for */
function useNameById(entity: string): ValueLanguage['nameOf'] {
  const described = entityNamed(entity)
  const named = new Set(
    described ? describeFields(described).flatMap(({ mentions = [] }) => mentions.map(({ to }) => to)) : [],
  )
  const idsOf = (kind: NamedEntity) => (named.has(kind) ? [0] : [])
  const nameIn: Readonly<Record<NamedEntity, (id: number) => string>> = {
    server: useNames('server', idsOf('server')),
    service: useNames('service', idsOf('service')),
    'notification-group': useNames('notification-group', idsOf('notification-group')),
    rota: useNames('rota', idsOf('rota')),
    user: usePersonName(idsOf('user')),
  }
  return (kind, id) => nameIn[kind](Number(id))
}

/** What is stored may be older than its schema: one value that cannot be said must not take the page along. */
function said(say: () => string[] | undefined): string | undefined {
  try {
    return say()?.join('\n')
  } catch {
    return undefined
  }
}
