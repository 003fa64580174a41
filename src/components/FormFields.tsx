import type { ComponentType } from 'react'
import { inputs } from '../engine/kinds/inputs.tsx'
import type { InputProps } from '../engine/kinds/parts/kind.tsx'
import type { FieldDescription } from '../schemas/define/describe.ts'

interface FormFieldsProps {
  /** The name of the entity that the fields are of. */
  entity: string
  fields: readonly FieldDescription[]
  /** Inputs to use instead of those of the fields' kinds. */
  inputsByField?: Readonly<Record<string, ComponentType<InputProps>>>
  labelOf: (field: string) => string
  helpOf: (field: string) => string
}

/** The inputs of fields, in order, in the form around them. */
export function FormFields({ entity, fields, inputsByField = {}, labelOf, helpOf }: FormFieldsProps) {
  return fields.map((field) => {
    const Input = inputsByField[field.name] ?? inputs[field.kind]
    const texts = { label: labelOf(field.name), help: helpOf(field.name) }
    return <Input key={field.name} field={field} entity={entity} {...texts} />
  })
}
