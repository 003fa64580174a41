import { styled } from '@mui/material/styles'
import { type ReactNode, Suspense } from 'react'
import type { Values } from '../../schemas/define/values.ts'
import { useScreen } from '../define/screen.ts'
import type { FieldItem, Section } from '../define/section.ts'
import { FormField } from './FormField.tsx'
import { SectionFields, SectionHeading } from './sectionStyles.ts'

const Fields = styled(SectionFields)(({ theme }) => ({
  // A section without a heading continues the one before it.
  'section + section > &:first-of-type:not(h3 + *)': { marginTop: theme.spacing(2) },
}))

const Fold = styled('details')(({ theme }) => ({
  '& > summary': { cursor: 'pointer', marginTop: theme.spacing(3) },
  '& > summary > h3': { display: 'inline', margin: 0 },
  '& > div': { marginTop: theme.spacing(1.5) },
}))

/** The form's sections, each with its heading and fields; some are shown only for certain values. */
export function FormSections({ sections, values }: { sections: readonly Section[]; values: Values }) {
  const { texts } = useScreen()
  return (
    <Suspense>
      {sections.map(({ section, items, when, folded }) => {
        if (when && !when(values)) return null
        const inputs = items.map((item): FieldItem => (typeof item === 'string' ? { source: item } : item))
        const fields = (
          <Fields>
            {inputs.map((input) => (
              <FormField key={input.source} {...input} />
            ))}
          </Fields>
        )
        const heading = section ? <SectionHeading>{texts.section(section)}</SectionHeading> : null
        // A form may have several sections without a heading, so the key contains their first field.
        const key = `${section} ${inputs[0]?.source}`
        if (!folded) {
          return (
            // A section that a choice adds must not hide the rest of the form, nor take its focus, while it is loading.
            <SuspenseIf key={key} isNeeded={when !== undefined}>
              <section>
                {heading}
                {fields}
              </section>
            </SuspenseIf>
          )
        }
        return (
          <Fold key={key}>
            <summary>{heading}</summary>
            {fields}
          </Fold>
        )
      })}
    </Suspense>
  )
}

const SuspenseIf = ({ isNeeded, children }: { isNeeded: boolean; children: ReactNode }) =>
  isNeeded ? <Suspense>{children}</Suspense> : children
