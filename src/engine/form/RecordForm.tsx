import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { Suspense, use, useMemo, useRef, useState } from 'react'
import { type RaRecord, RecordContextProvider, useGetList, useRecordContext, useTranslate } from 'react-admin'
import { FormProvider, type Resolver, useForm, useWatch } from 'react-hook-form'
import { everyRow, everyRowByName } from '../../records/queryRows.ts'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import { sameValue, type Values } from '../../schemas/define/values.ts'
import type { MemberOf } from '../define/defineResource.ts'
import type { FormNote } from '../define/form.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import { useField } from '../kinds/parts/kind.tsx'
import { LazyReferencePicker } from '../kinds/reference/LazyReferencePicker.ts'
import { UnsavedChangesGuard } from './DiscardDialog.tsx'
import { FormSections } from './FormSections.tsx'
import {
  type Copy,
  CopyContext,
  copiedValues,
  type HiddenFields,
  missingInCopy,
  newlyHidden,
  withoutHidden,
} from './newValues.ts'
import { SectionFields } from './sectionStyles.tsx'
import { RestoredDraftAlert, useDraft } from './useDraft.tsx'
import { ConflictDialog, groupsWith, memberOfField, useMemberOf, useSave } from './useSave.tsx'
import { asFormErrors, changesBetween, initialValues, validate, valuesOf } from './validate.ts'

interface RecordFormProps {
  /** The record as it was opened; left out to create one. */
  record?: RaRecord
  /** The record that a new one is a copy of. */
  original?: RaRecord
  /** Of a form over another form: is told of what was created. Its changes are no reason to stay at an address. */
  onCreated?: (created: RaRecord) => void
  onClose: () => void
}

/**
 * The form of a definition. It closes on success; on failure it stays as it is, with the server's words in a toast,
 * and at the field that they begin with.
 */
export function RecordForm({ record, original, onCreated, onClose }: RecordFormProps) {
  const { entity, definition, translate } = useScreen()
  const memberOf = useMemberOf()
  const before = useMemo(() => {
    const groups = memberOf && { [memberOfField]: null }
    if (record) return { ...valuesOf(entity, record), ...groups }
    const rename = (name: string) => translate('app.form.copy_name', { name })
    const values = original ? copiedValues(entity, original, entity.nameField, rename) : initialValues(entity)
    return { ...values, ...groups }
  }, [entity, record, original, entity.nameField, translate, memberOf])
  const copy = useCopy(original)
  const saved = useRef(false)
  const [isPending, setPending] = useState(false)
  const onSaved = (created?: RaRecord) => {
    saved.current = true
    if (onCreated && created) onCreated(created)
    else onClose()
  }
  const opened = { before, isStored: record !== undefined }
  const resolver: Resolver<Values> = (entered) => {
    const { [memberOfField]: groups, ...values } = withoutHidden(definition, opened, entered)
    const touched = record ? Object.keys(changesBetween(before, values)) : Object.keys(values)
    const { values: parsed, errors } = validate(entity, values, touched)
    const missing = copy ? missingInCopy(definition, copy, values) : []
    if (parsed && missing.length === 0)
      return { values: groups ? { ...parsed, [memberOfField]: groups } : parsed, errors: {} }
    const again = Object.fromEntries(missing.map((name) => [name, { message: 'validation.not_copied' }]))
    return { values: {}, errors: asFormErrors({ ...again, ...errors }) }
  }
  const form = useForm<Values>({ defaultValues: before, resolver })
  const { save, isSaving, conflict, decide, dismiss } = useSave(record, onSaved, (field, message) =>
    form.setError(field, { type: 'server', message }, { shouldFocus: true }),
  )
  const { restored, discard } = useDraft(entity, record?.id ?? (original && `copy-${original.id}`), before, form)
  const values = useWatch({ control: form.control })
  const isDirty = Object.keys(changesBetween(before, values)).length > 0

  return (
    <FormProvider {...form}>
      <form
        noValidate
        style={{ display: 'contents' }}
        onSubmit={form.handleSubmit(save)}
        onKeyDown={(event) => {
          // As the button: nothing is saved twice.
          const canSave = !isPending && !isSaving && !event.repeat
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSave) void form.handleSubmit(save)()
        }}
      >
        <DialogContent dividers>
          {restored && isDirty ? <RestoredDraftAlert onDiscard={discard} /> : null}
          <RecordContextProvider value={record}>
            <CopyContext value={copy}>
              <FormSections sections={definition.form} values={values} onPending={setPending} />
              {memberOf ? (
                <Suspense>
                  <SectionFields sx={{ marginTop: 2 }}>
                    <MemberOfInput memberOf={memberOf} />
                  </SectionFields>
                </Suspense>
              ) : null}
            </CopyContext>
          </RecordContextProvider>
        </DialogContent>
        <FormNotes {...opened} values={values} hidden={newlyHidden(definition, opened, values)} />
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={isPending} loading={isSaving}>
            {translate('app.action.save')}
          </Button>
        </DialogActions>
      </form>
      {conflict ? <ConflictDialog conflict={conflict} onDecide={decide} onCancel={dismiss} /> : null}
      {onCreated ? null : <UnsavedChangesGuard isDirty={() => isDirty && !saved.current} isSent={isSaving} />}
    </FormProvider>
  )
}

/** What a form holds of a copy beside its values: the fields that it is created without. */
function useCopy(original: RaRecord | undefined): Copy | undefined {
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => {
    const leaveOut = (field: string, isLeftOut: boolean) =>
      setWithout((left) => new Set([...left].filter((name) => name !== field).concat(isLeftOut ? field : [])))
    return original && { original, without, leaveOut }
  }, [original, without])
}

interface FormNotesProps {
  values: Values
  /** The form's values when it opened. */
  before: Values
  isStored: boolean
  hidden: HiddenFields
}

/** Notes to read before saving. They never prevent it. */
function FormNotes({ values, before, isStored, hidden }: FormNotesProps) {
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

const description: FieldDescription = {
  name: memberOfField,
  kind: 'refs',
  editable: true,
  required: false,
  omittable: true,
  nullable: true,
}

/** The groups of the form's record, which hold it among their members: the save writes them, and not the record. */
function MemberOfInput({ memberOf }: { memberOf: MemberOf }) {
  const translate = useTranslate()
  const record = useRecordContext()
  const { data = [] } = useGetList(memberOf.entity, everyRowByName)
  const { id, field, error } = useField<number[] | null>(description)
  const stored = record ? groupsWith(data, memberOf, record.id) : []
  const isStored = (ids: readonly number[]) =>
    ids.length === stored.length && ids.every((group) => stored.includes(group))
  return (
    <LazyReferencePicker
      to={memberOf.entity}
      label={translate(`resources.${memberOf.entity}.name`, { smart_count: 2 })}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={field.value ?? stored}
      onChoose={(ids) => field.onChange(isStored(ids) ? null : ids)}
    />
  )
}
