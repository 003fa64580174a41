import Alert from '@mui/material/Alert'
import { use } from 'react'
import { useGetList } from 'react-admin'
import { everyRow } from '../../records/wholeList.ts'
import { sameValue } from '../../schemas/define/sameValue.ts'
import type { Values } from '../../schemas/define/values.ts'
import { AnnouncedFeaturesContext } from '../define/announcedFeatures.ts'
import type { FormNote } from '../define/formNote.ts'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import type { HiddenFields } from './hiddenFields.ts'

interface FormNotesProps {
  values: Values
  /** The form's values when it opened. */
  before: Values
  isStored: boolean
  hidden: HiddenFields
}

/** Notes to read before saving. They never prevent it. */
export function FormNotes({ values, before, isStored, hidden }: FormNotesProps) {
  const { definition } = useScreen()
  const losesSecrets = useLosesSecrets()
  // A new record is not complete at once, and needs no warning while nobody has entered anything.
  const isBegun = isStored || !sameValue(before, values)
  const notes = definition.notes.filter(({ severity }) => severity === 'info' || isBegun)
  return (
    <div aria-live="polite">
      {notes.map((note) => (
        <Note key={note.note} note={note} values={values} />
      ))}
      <HiddenNote textKey="app.form.clears" fields={hidden.cleared.filter((name) => !isBlank(before[name]))} />
      <HiddenNote
        textKey={losesSecrets(before, values) ? 'app.form.loses_hidden' : 'app.form.keeps_hidden'}
        fields={hidden.kept}
      />
    </div>
  )
}

function Note({ note: { note, severity, when, related }, values }: { note: FormNote; values: Values }) {
  const { entity, translate } = useScreen()
  const announced = use(AnnouncedFeaturesContext)
  const { data } = useGetList(
    related ?? entity.name,
    { pagination: everyRow, sort: { field: 'id', order: 'ASC' } },
    { enabled: related !== undefined },
  )
  const context = { related: data, announced: (key: string) => announced?.has(key) === true }
  if (!when(values, context)) return null
  return <Line severity={severity}>{translate(`resources.${entity.name}.notes.${note}`)}</Line>
}

function HiddenNote({ textKey, fields }: { textKey: string; fields: readonly string[] }) {
  const { texts, translate } = useScreen()
  if (fields.length === 0) return null
  return <Line severity="info">{translate(textKey, { fields: fields.map(texts.label).join(', ') })}</Line>
}

const Line = ({ severity, children }: { severity: FormNote['severity']; children: string }) => (
  <Alert severity={severity} role="note" sx={{ borderRadius: 0, paddingBlock: 0 }}>
    {children}
  </Alert>
)

/** Whether clearing the value loses nothing. */
const isBlank = (value: unknown) =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0) || value === '0001-01-01T00:00:00Z'
