import { useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { changesBetween } from '../../../engine/form/formValues.ts'
import { asFormErrors, validate } from '../../../engine/form/validate.ts'
import type { Values } from '../../../schemas/define/values.ts'
import { serverConfig } from '../../../schemas/machines/serverConfig.ts'

/**
 * The form state of an agent's settings.
 * @param before the initial values
 * @param chosen the settings to validate and submit. Default: the changed ones
 */
export function useConfigForm(before: Values, chosen?: readonly string[]) {
  const [initial] = useState(before)
  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(
      serverConfig,
      values,
      chosen ?? Object.keys(changesBetween(initial, values)),
    )
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: initial, resolver })
  const values = useWatch({ control: form.control })
  return { form, values, changes: changesBetween(initial, values) }
}
