import { useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { changesBetween, type Values } from '../../../resources/engine/form/formValues.ts'
import { asFormErrors, validate } from '../../../resources/engine/form/validate.ts'
import { serverConfig } from '../../../schemas/machines/serverConfig.ts'

/**
 * A form for an agent's settings.
 * @param before the values it opens with
 * @param chosen the settings to judge and to hand on. Default: those that were changed
 */
export function useConfigForm(before: Values, chosen?: readonly string[]) {
  const [opened] = useState(before)
  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(
      serverConfig,
      values,
      chosen ?? Object.keys(changesBetween(opened, values)),
    )
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: opened, resolver })
  const values = useWatch({ control: form.control })
  return { form, values, changes: changesBetween(opened, values) }
}
