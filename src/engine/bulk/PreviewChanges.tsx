import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import { NamedRows } from './NamedRows.tsx'
import type { BulkPlan, PlannedUpdate, Refusal } from './planBulkEdit.ts'
import { ValueChange } from './ValueChange.tsx'

interface PreviewChangesProps {
  plan: BulkPlan
  onBack: () => void
  onRun: () => void
}

/** The second step: what will happen to which record, and what will be refused. */
export function PreviewChanges({ plan: { updates, refusals, unchanged }, onBack, onRun }: PreviewChangesProps) {
  const { texts, translate } = useScreen()
  const what = texts.counted(updates.length)
  return (
    <>
      <DialogContent dividers>
        <div role="status">
          {updates.length > 0 ? translate('app.bulk.will_change', { what }) : translate('app.bulk.nothing_changes')}{' '}
          {unchanged.length > 0
            ? translate('app.bulk.stay', { what: texts.counted(unchanged.length), smart_count: unchanged.length })
            : null}
        </div>
        <NamedRows caption={translate('app.bulk.refusals', { smart_count: refusals.length })} rows={refusals}>
          {(refusal) => <Reasons {...refusal} />}
        </NamedRows>
        <NamedRows caption={translate('app.bulk.changes', { smart_count: updates.length })} rows={updates}>
          {(update) => <Changes {...update} />}
        </NamedRows>
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>{translate('app.bulk.back')}</Button>
        <Button variant="contained" disabled={updates.length === 0} onClick={onRun}>
          {translate('app.bulk.run', { what })}
        </Button>
      </DialogActions>
    </>
  )
}

function Reasons({ reasons }: Refusal) {
  const { texts, translate } = useScreen()
  return reasons.map(({ field, message, args }) => (
    <div key={`${field} ${message}`}>
      {field ? <small>{texts.label(field)}</small> : null}
      {translate(message, args)}
    </div>
  ))
}

function Changes({ before, data }: PlannedUpdate) {
  const { texts, translate } = useScreen()
  const losesSecrets = useLosesSecrets()
  return (
    <>
      {Object.entries(data).map(([name, value]) => (
        <div key={name}>
          <small>{texts.label(name)}</small>
          <ValueChange name={name} before={before[name]} after={value} />
        </div>
      ))}
      {losesSecrets(before, { ...before, ...data }) ? translate('app.form.bound_secret') : null}
    </>
  )
}
