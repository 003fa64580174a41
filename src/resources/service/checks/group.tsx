import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import { useCheckForm } from './checkForm.ts'
import { CheckChoice, CheckGrid, CheckNumber } from './controls.tsx'

/** The fields of a check of several services together. */
export function GroupFields() {
  const translate = useTranslate()
  const { check, set, errors } = useCheckForm()
  const isNumber = typeof check.needs === 'number' || !['all', 'any'].includes(String(check.needs))
  return (
    <>
      <Suspense>
        <LazyReferencePicker
          to="service"
          required
          label={translate('app.checks.fields.services')}
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
