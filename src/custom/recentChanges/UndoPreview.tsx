import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { use, useId } from 'react'
import { useTranslate } from 'react-admin'
import { ComparisonTable } from '../../components/ComparisonTable.tsx'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { FieldValue } from '../../engine/history/FieldValue.tsx'
import { type Entity, isSentElsewhere } from '../../schemas/define/entity.ts'
import { entityNamed } from '../../schemas/index.ts'
import type { ChangeAction } from '../../undo/changeDatabase.ts'
import type { FieldUndo, UndoStep } from '../../undo/planUndo.ts'
import type { UndoChoices } from '../../undo/runUndo.ts'

export type Choices = UndoChoices

/** Records that are drawn: more are only counted. */
const stepsShown = 100

interface UndoPreviewProps {
  action: ChangeAction
  steps: readonly UndoStep[]
  choices: Choices
  onChoose: (choices: Choices) => void
}

/** What will happen to each record. Those that a person has to decide about come first. */
export function UndoPreview({ action, steps, choices, onChoose }: UndoPreviewProps) {
  const translate = useTranslate()
  const entity = entityNamed(action.entity)
  if (!entity) return null
  const ordered = steps.toSorted((a, b) => rank(a) - rank(b))
  // Records that need a decision are always shown.
  const shown = ordered.filter((step, at) => at < stepsShown || rank(step) === 0)
  return (
    <>
      {shown.map((step) => (
        <Step key={step.change.key} entity={entity} step={step} choices={choices} onChoose={onChoose} />
      ))}
      {steps.length > shown.length ? (
        <p>{translate('app.undo.more', { smart_count: steps.length - shown.length })}</p>
      ) : null}
    </>
  )
}

const rank = ({ state, fields, needed }: UndoStep) =>
  state !== 'ready' ? 2 : needed.length > 0 || fields.some(({ isConflict }) => isConflict) ? 0 : 1

interface StepProps extends Omit<UndoPreviewProps, 'action' | 'steps'> {
  entity: Entity
  step: UndoStep
}

function Step({ entity, step, choices, onChoose }: StepProps) {
  const translate = useTranslate()
  const titleId = useId()
  const { change, state, current, fields, needed, lost, links, dead } = step
  const label = (field: string) => translate(`resources.${entity.name}.fields.${field}`)
  const named = (names: readonly string[]) => [...new Set(names)].join(', ')
  const isCreated = state === 'ready' && !current
  const isBound = use(AnnouncedFeaturesContext)?.has('bound_secrets') === true
  const restored = { ...current, ...Object.fromEntries(fields.map(({ field, before }) => [field, before])) }
  const losesSecrets = isBound && current !== undefined && isSentElsewhere(entity, current, restored)
  return (
    <Section aria-labelledby={titleId}>
      <h3 id={titleId}>{change.name}</h3>
      {state === 'ready' ? null : <p>{translate(`app.undo.states.${state}`)}</p>}
      {isCreated ? <p>{translate('app.undo.created')}</p> : null}
      {fields.length > 0 ? <Fields entity={entity} step={step} choices={choices} onChoose={onChoose} /> : null}
      {state === 'ready' && links.length > 0 ? (
        <p>{translate('app.undo.links', { names: named(links.map(({ name }) => name)) })}</p>
      ) : null}
      {dead.map(({ field }) => (
        <p key={field}>{translate('app.undo.dead', { field: label(field) })}</p>
      ))}
      {!isCreated && lost.length > 0 && state === 'ready' ? (
        <p>{translate('app.undo.kept_secrets', { fields: named(lost.map(label)) })}</p>
      ) : null}
      {losesSecrets ? <p>{translate('app.form.bound_secret')}</p> : null}
      {isCreated && lost.length > 0 ? <p>{translate('app.undo.lost', { fields: named(lost.map(label)) })}</p> : null}
      {isCreated
        ? [...needed, ...lost].map((field) => (
            <TextField
              key={field}
              label={translate('app.undo.enter_again', { field: label(field) })}
              required={needed.includes(field)}
              fullWidth
              size="small"
              margin="dense"
              autoComplete="off"
              value={choices.secrets.get(change.key)?.[field] ?? ''}
              onChange={({ target }) => {
                const entered = { ...choices.secrets.get(change.key), [field]: target.value }
                onChoose({ ...choices, secrets: new Map(choices.secrets).set(change.key, entered) })
              }}
            />
          ))
        : null}
    </Section>
  )
}

function Fields({ entity, step: { change, fields }, choices, onChoose }: StepProps) {
  const translate = useTranslate()
  const overwritten = choices.overwrite.get(change.key) ?? new Set<string>()
  const choose = (field: string, isBack: boolean) => {
    const others = [...overwritten].filter((other) => other !== field)
    const chosen = new Set(isBack ? [...others, field] : others)
    onChoose({ ...choices, overwrite: new Map(choices.overwrite).set(change.key, chosen) })
  }
  return (
    <ComparisonTable>
      <thead>
        <tr>
          <th scope="col">{translate('app.undo.field')}</th>
          <th scope="col">{translate('app.undo.now')}</th>
          <th scope="col">{translate('app.undo.after')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <FieldRow
            key={field.field}
            entity={entity}
            field={field}
            changeKey={change.key}
            isBack={overwritten.has(field.field)}
            onChoose={(isBack) => choose(field.field, isBack)}
          />
        ))}
      </tbody>
    </ComparisonTable>
  )
}

interface FieldRowProps {
  entity: Entity
  field: FieldUndo
  changeKey: number
  /** Of a conflict: whether the earlier value was chosen. */
  isBack: boolean
  onChoose: (isBack: boolean) => void
}

/** A field now and after the undo; one that was changed since is asked about. */
function FieldRow({ entity, field, changeKey, isBack, onChoose }: FieldRowProps) {
  const translate = useTranslate()
  const { field: name, now, before, isConflict } = field
  const label = translate(`resources.${entity.name}.fields.${name}`)
  const values = [
    { key: 'keep', value: now, isChosen: !isBack },
    { key: 'back', value: before, isChosen: isBack },
  ] as const
  return (
    <>
      {isConflict ? (
        <tr>
          <td colSpan={3}>
            <strong>{label}</strong>: {translate('app.undo.conflict')}
          </td>
        </tr>
      ) : null}
      <tr>
        <th scope="row">{label}</th>
        {values.map(({ key, value, isChosen }) => (
          <td key={key}>
            {isConflict ? (
              <label>
                <input
                  type="radio"
                  name={`${changeKey}.${name}`}
                  aria-label={`${label}: ${translate(`app.undo.${key}`)}`}
                  checked={isChosen}
                  onChange={() => onChoose(key === 'back')}
                />{' '}
                {translate(`app.undo.${key}`)}
              </label>
            ) : null}
            <FieldValue entity={entity} name={name} value={value} />
          </td>
        ))}
      </tr>
    </>
  )
}

const Section = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(1),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '&:first-of-type': { borderTop: 0 },
  '& h3': { margin: 0, fontSize: 14, fontWeight: 600, overflowWrap: 'anywhere' },
  '& p': { margin: theme.spacing(0.5, 0), fontSize: 13, overflowWrap: 'anywhere' },
}))
