import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ComparisonTable } from '../../components/ComparisonTable.tsx'
import type { Translate } from '../../components/format/format.ts'
import { keptSecret } from '../../domain/configuration/fileValues.ts'
import type { FieldChange, Plan, RecordChange } from '../../domain/configuration/plan.ts'
import { useFieldText } from '../../engine/history/useFieldText.ts'

/** More rows would keep the browser busy; they are shown on demand. */
const changesShown = 100
const namesShown = 10
/** Characters of a value in the table. */
const maxLength = 600

interface PlanViewProps {
  plan: Plan
  /** Kinds and fields by the keys of a configuration file, which its author knows, or as the console names them. */
  words: 'file' | 'console'
}

/** What applying a file would change, record by record. */
export function PlanView({ plan, words }: PlanViewProps) {
  const translate = useTranslate()
  const [showsAll, setShowsAll] = useState(false)
  const { changes, unchanged, unlisted } = plan
  const count = (verb: RecordChange['verb']) => changes.filter((change) => change.verb === verb).length
  const shown = showsAll ? changes : changes.slice(0, changesShown)
  const names = unlisted
    .slice(0, namesShown)
    .map(({ entity, name }) => `${entity} ${translate('app.confirm.quoted', { name })}`)
  return (
    <>
      <p role="status" style={{ marginTop: 16 }}>
        {changes.length === 0
          ? translate('app.configuration.nothing', { smart_count: unchanged })
          : translate('app.configuration.counts', {
              created: count('create'),
              updated: count('update'),
              deleted: count('delete'),
              unchanged,
            })}
      </p>
      {unlisted.length > 0 ? (
        <p style={{ overflowWrap: 'anywhere' }}>
          {translate('app.configuration.unlisted', { smart_count: unlisted.length, names: names.join(', ') })}
          {unlisted.length > namesShown ? ' …' : ''}
        </p>
      ) : null}
      {shown.map((change) => (
        <Change key={`${change.verb} ${change.entity} ${change.id ?? change.name}`} change={change} words={words} />
      ))}
      {changes.length > shown.length ? (
        <Button onClick={() => setShowsAll(true)}>
          {translate('app.configuration.show_all', { smart_count: changes.length })}
        </Button>
      ) : null}
    </>
  )
}

function Change({ change, words }: { change: RecordChange; words: PlanViewProps['words'] }) {
  const translate = useTranslate()
  const fieldText = useFieldText(change.entity, 'name')
  const { verb, entity, name, fields } = change
  const { kind, labelOf, textOf } =
    words === 'file' ? fileWords(entity, translate, fieldText) : consoleWords(entity, translate, fieldText)
  const heading = (
    <>
      <b>{translate(`app.configuration.verbs.${verb}`)}</b> {kind} {translate('app.confirm.quoted', { name })}
    </>
  )
  return (
    <Block>
      {fields.length === 0 ? (
        heading
      ) : (
        <ComparisonTable>
          <caption>{heading}</caption>
          <thead>
            <tr>
              <th scope="col">{translate('app.configuration.field')}</th>
              {verb === 'update' ? <th scope="col">{translate('app.configuration.before')}</th> : null}
              <th scope="col">{translate('app.configuration.after')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.field}>
                <th scope="row">{labelOf(field.field)}</th>
                {verb === 'update' ? <td>{textOf(field, field.before)}</td> : null}
                <td>{textOf(field, field.after)}</td>
              </tr>
            ))}
          </tbody>
        </ComparisonTable>
      )}
    </Block>
  )
}

type FieldText = ReturnType<typeof useFieldText>

interface Words {
  kind: string
  labelOf: (field: string) => string
  textOf: (change: FieldChange, value: unknown) => string
}

const fileWords = (kind: string, translate: Translate, fieldText: FieldText): Words => ({
  kind,
  labelOf: (field) => field,
  textOf: (change, value) => valueText(change, value, translate, fieldText),
})

const consoleWords = (entity: string, translate: Translate, fieldText: FieldText): Words => ({
  kind: kindText(entity, translate),
  labelOf: (field) =>
    field === 'user_id'
      ? translate('app.changes.owner')
      : translate(`resources.${entity}.fields.${field}`, { _: field }),
  textOf(change, value) {
    if (typeof value === 'boolean') return translate(`ra.boolean.${value}`)
    const text = valueText(change, value, translate, fieldText)
    return translate(`resources.${entity}.choices.${change.field}.${text}`, { _: text })
  },
})

/** What an import can hold beside the entities of the console. */
const otherKinds: Readonly<Record<string, string>> = {
  'api-token': 'app.tokens.title',
  oauth2: 'app.account.bindings',
  setting: 'app.shell.settings',
}

/** What a kind of record of an import is called in the console. */
export const kindText = (entity: string, translate: Translate): string =>
  translate(otherKinds[entity] ?? `resources.${entity}.name`, { smart_count: 1, _: entity })

function valueText({ field, after }: FieldChange, value: unknown, translate: Translate, fieldText: FieldText): string {
  // A secret is sent: its old value is not known, and its new one is not shown.
  if (after === keptSecret || (after === '' && value === keptSecret)) return translate('app.configuration.secret')
  const isNames = Array.isArray(value) && value.every((entry) => typeof entry === 'string')
  const text = isNames ? value.join(', ') : fieldText(field, value)
  if (text === '') return '–'
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

const Block = styled('div')(({ theme }) => ({
  padding: theme.spacing(1, 0),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  overflowWrap: 'anywhere',
  '& caption': { textAlign: 'left', paddingBottom: theme.spacing(0.5) },
  '& td': { whiteSpace: 'pre-wrap' },
  // Names of fields do not break within a word, not even on a phone.
  '& th[scope=row]': { fontWeight: 400, width: '20%', overflowWrap: 'normal' },
}))
