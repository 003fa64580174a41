import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { FormProvider, type Resolver, useForm } from 'react-hook-form'
import { FieldsSuspense } from '../engine/form/sectionStyles.tsx'
import { asFormErrors, initialValues, validate } from '../engine/form/validate.ts'
import type { InputProps } from '../engine/kinds/parts/kind.tsx'
import { ActionDialog } from '../engine/parts/ActionDialog.tsx'
import { useDialogOrder } from '../engine/parts/useDialogOrder.ts'
import { describeFields } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import type { Values } from '../schemas/define/values.ts'
import { FormFields } from './FormFields.tsx'

interface FormDialogProps {
  title: string
  /** The entity whose form fields are shown, in order. */
  entity: Entity
  /** Initial values, beside the defaults of the schema. */
  values?: Values
  /** Fields that are not shown. */
  without?: readonly string[]
  /** Inputs to use instead of those of the fields' kinds. */
  inputsByField?: Readonly<Record<string, ComponentType<InputProps>>>
  labelOf: (field: string) => string
  helpOf: (field: string) => string
  submitLabel: string
  /** Another button, for what can be done with valid values before they are submitted. */
  further?: { label: string; onClick: (values: Values) => void }
  /** Shown above the fields. */
  children?: ReactNode
  /**
   * Gets the parsed values, and tells by a toast that it went well, where nothing else shows it: the dialog may have been
   * left by then. If it rejects, a toast shows the error and the dialog stays open.
   */
  onSubmit: (values: Values) => Promise<void>
  /** Called when that went well, too, unless the dialog was left. */
  onClose: () => void
}

/** A dialog with a form for the input of a call, validated by its schema. */
export function FormDialog({ entity, inputsByField, without = [], ...props }: FormDialogProps) {
  const { title, values = {}, labelOf, helpOf, submitLabel, further, children, onSubmit, onClose } = props
  const translate = useTranslate()
  const { isSending, isHeld, send } = useDialogOrder()
  const [isPending, setPending] = useState(false)
  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(entity, values, Object.keys(values))
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: { ...initialValues(entity), ...values }, resolver })
  return (
    <ActionDialog title={title} width={560} onClose={isHeld ? () => {} : onClose}>
      <FormProvider {...form}>
        <form
          noValidate
          style={{ display: 'contents' }}
          onSubmit={form.handleSubmit((values) => send(() => onSubmit(values), onClose))}
        >
          <DialogContent dividers>
            <FieldsSuspense onPending={setPending}>
              <Stack spacing={2}>
                {children}
                <FormFields
                  entity={entity.name}
                  fields={describeFields(entity).filter(({ editable, name }) => editable && !without.includes(name))}
                  inputsByField={inputsByField}
                  labelOf={labelOf}
                  helpOf={helpOf}
                />
              </Stack>
            </FieldsSuspense>
          </DialogContent>
          <DialogActions>
            {further ? (
              <Button
                sx={{ marginRight: 'auto' }}
                disabled={isSending || isPending}
                onClick={() => void form.handleSubmit(further.onClick)()}
              >
                {further.label}
              </Button>
            ) : null}
            <Button onClick={onClose} disabled={isHeld}>
              {translate('app.action.cancel')}
            </Button>
            <Button type="submit" variant="contained" disabled={isPending} loading={isSending}>
              {submitLabel}
            </Button>
          </DialogActions>
        </form>
      </FormProvider>
    </ActionDialog>
  )
}
