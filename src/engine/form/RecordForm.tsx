import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { Suspense, useMemo, useRef, useState } from 'react'
import { type RaRecord, RecordContextProvider } from 'react-admin'
import { FormProvider, type Resolver, useForm, useWatch } from 'react-hook-form'
import type { Values } from '../../schemas/define/values.ts'
import { useScreen } from '../define/screen.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { type Copy, CopyContext, copiedValues, missingInCopy } from './duplicate.ts'
import { FormNotes } from './FormNotes.tsx'
import { FormSections } from './FormSections.tsx'
import { changesBetween, initialValues, valuesOf } from './formValues.ts'
import { newlyHidden, withoutHidden } from './hiddenFields.ts'
import { MemberOfInput } from './MemberOfInput.tsx'
import { memberOfField, useMemberOf } from './memberOf.ts'
import { RestoredDraftAlert } from './RestoredDraftAlert.tsx'
import { SectionFields } from './sectionStyles.ts'
import { UnsavedChangesGuard } from './UnsavedChangesGuard.tsx'
import { useDraft } from './useDraft.ts'
import { useSave } from './useSave.ts'
import { asFormErrors, validate } from './validate.ts'

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
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void form.handleSubmit(save)()
        }}
      >
        <DialogContent dividers>
          {restored && isDirty ? <RestoredDraftAlert onDiscard={discard} /> : null}
          <RecordContextProvider value={record}>
            <CopyContext value={copy}>
              <FormSections sections={definition.form} values={values} />
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
          <Button type="submit" variant="contained" loading={isSaving}>
            {translate('app.action.save')}
          </Button>
        </DialogActions>
      </form>
      {conflict ? <ConflictDialog conflict={conflict} onDecide={decide} onCancel={dismiss} /> : null}
      {onCreated ? null : <UnsavedChangesGuard isDirty={() => isDirty && !saved.current} />}
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
