import { useTranslate } from 'react-admin'
import type { ChangeAction } from '../../undo/changeDatabase.ts'

/** Fields that are named; more are an ellipsis. */
const fieldsNamed = 4

/** An action in words: '3 servers changed: Note', 'Service “web” deleted'. */
export function useActionText(): (action: ChangeAction) => string {
  const translate = useTranslate()
  return ({ entity, verb, count, name, fields }) => {
    const root = `resources.${entity}`
    const what =
      count === 1
        ? translate('app.undo.one', { entity: translate(`${root}.name`, { smart_count: 1 }), name })
        : translate(`${root}.counted`, { smart_count: count })
    if (verb === 'delete') return translate('app.undo.deleted', { what })
    const named = fields.slice(0, fieldsNamed).map((field) => translate(`${root}.fields.${field}`))
    return translate('app.undo.changed', {
      what,
      fields: [...named, fields.length > fieldsNamed ? '…' : []].flat().join(', '),
    })
  }
}
