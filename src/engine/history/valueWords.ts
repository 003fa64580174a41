import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import { byId, everyRowByName } from '../../records/wholeList.ts'
import { useSharedList } from '../parts/useSharedList.ts'

/** What values are said with. */
export interface ValueLanguage extends Language {
  /** The name of a record by its id, or by its name, which values of a configuration file have in place of ids. */
  nameOf: (entity: 'server' | 'service', key: string | number) => string
}

/** Says a value that is JSON, a line for each part; `undefined` for one that it does not know. */
type SayValue = (value: unknown, language: ValueLanguage) => string[] | undefined

/** By the names of entity and field: `alert-rule.rules`. */
export type ValueWords = Readonly<Record<string, SayValue>>

/** Fetches how values are said: entities know their own words, and no list waits for them. */
export const ValueWordsContext = createContext<() => Promise<ValueWords>>(async () => ({}))

/** Gives values of an entity's fields as text, as its own screens say them. */
export function useFieldText(entity: string): (field: string, value: unknown) => string {
  const load = use(ValueWordsContext)
  const { data: words, isPending } = useQuery({
    queryKey: ['value words'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const language = useLanguage()
  const servers = useSharedList('server', everyRowByName, entity === 'alert-rule')
  const services = useSharedList('service', everyRowByName, entity === 'service')
  const nameOf: ValueLanguage['nameOf'] = (kind, key) => {
    const records = kind === 'server' ? servers : services
    const name: unknown = records && byId(records).get(String(key))?.name
    return typeof name === 'string' ? name : Number.isInteger(Number(key)) ? `#${key}` : String(key)
  }
  return (field, value) => {
    if (value === undefined || value === null) return ''
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
    if (typeof value !== 'object') return String(value)
    if (isPending) return '…'
    return said(() => words?.[`${entity}.${field}`]?.(value, { ...language, nameOf })) ?? JSON.stringify(value, null, 1)
  }
}

/** What is stored may be older than its schema: one value that cannot be said must not take the page along. */
function said(say: () => string[] | undefined): string | undefined {
  try {
    return say()?.join('\n')
  } catch {
    return undefined
  }
}
