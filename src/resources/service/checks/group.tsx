import { Suspense, useId } from 'react'
import { useTranslate } from 'react-admin'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import type { FieldDescription } from '../../../schemas/define/describe.ts'
import { useCheckForm } from './checkForm.ts'
import { CheckChoice, CheckGrid, CheckNumber } from './controls.tsx'

/** The description of the services of a group, for the picker. */
const field: FieldDescription = {
  name: 'services',
  kind: 'refs',
  to: 'service',
  editable: true,
  required: true,
  omittable: false,
  nullable: false,
}
const binding = { onBlur: () => {}, ref: () => {} }

/** The fields of a check of several services together. */
export function GroupFields() {
  const translate = useTranslate()
  const { check, set, errors } = useCheckForm()
  const id = useId()
  const isNumber = typeof check.needs === 'number' || !['all', 'any'].includes(String(check.needs))
  return (
    <>
      <Suspense>
        <LazyReferencePicker
          field={field}
          entity="service"
          label={translate('app.checks.fields.services')}
          id={id}
          binding={binding}
          multiple
          error={errors.get('services')}
          chosen={Array.isArray(check.services) ? check.services.map(Number) : []}
          onChoose={(services) => set({ services: [...services] })}
        />
      </Suspense>
      <CheckGrid>
        <CheckChoice
          name="needs"
          choices={['all', 'any', 'number']}
          shown={isNumber ? 'number' : String(check.needs)}
          onChoose={(chosen) => set({ needs: chosen === 'number' ? 1 : chosen })}
        />
        {isNumber ? <CheckNumber name="needs" help="needs" /> : null}
      </CheckGrid>
    </>
  )
}
