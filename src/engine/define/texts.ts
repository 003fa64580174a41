import type { useTranslate } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'
import { recordName } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Column } from './column.ts'
import type { ResourceEntry } from './resourceEntry.ts'

type Translate = ReturnType<typeof useTranslate>

/** The texts of one entity; their keys follow from the names in its schema and its definition. */
export function textsOf(translate: Translate, { entity }: Pick<ResourceEntry, 'entity'>) {
  const root = `resources.${entity.name}`
  const optional = (key: string) => translate(`${root}.${key}`, { _: '' }) || undefined
  const label = (source: string) => translate(`${root}.fields.${source.replaceAll('.', '_')}`)
  const nameOf = (record: Values) => recordName(entity, record)
  const counted = (count: number) => translate(`${root}.counted`, { smart_count: count })
  return {
    /** 'Servers' */
    plural: translate(`${root}.name`, { smart_count: 2 }),
    /** 'Server' */
    singular: translate(`${root}.name`, { smart_count: 1 }),
    /** '3 servers' */
    counted,
    /** The name of a record in titles and confirmations. */
    nameOf,
    /** A record by its name in quotes, several by their number: '“web-1”', '3 servers'. */
    what: (records: readonly Values[]) => {
      const [first] = records
      return records.length === 1 && first
        ? translate('app.confirm.quoted', { name: nameOf(first) })
        : counted(records.length)
    },
    heading: ({ source, derived }: Column) => (derived ? translate(`${root}.columns.${source}`) : label(source)),
    /** Of a field, or of a dotted source such as `host.version`: a dot in a key would be a step of it. */
    label,
    help: (field: string) => optional(`help.${field}`),
    section: (key: string) => translate(`${root}.sections.${key}`),
    empty: translate(`${root}.empty`),
    /** What follows from a deletion; another sentence where the server announces a feature that changes it. */
    deleteNote: (announced: Iterable<string> = []) =>
      [...announced].map((feature) => optional(`deleteNotes.${feature}`)).find(Boolean) ?? optional('deleteNote'),
    protected: translate(`${root}.protected`),
    /** The toast for an action without a selection, where it has one of its own. */
    actionNothing: (name: string) => optional(`actions.${name}.nothing`),
    action: (name: string, text: 'label' | 'confirm' | 'done' | 'consent', what = '') =>
      translate(`${root}.actions.${name}.${text}`, { what }),
    warning: (name: string, args: TextArgs) => translate(`${root}.actions.${name}.warning`, args),
  }
}
