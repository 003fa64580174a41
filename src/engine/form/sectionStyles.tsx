import CircularProgress from '@mui/material/CircularProgress'
import { styled } from '@mui/material/styles'
import { type ReactNode, Suspense, useLayoutEffect } from 'react'
import { useTranslate } from 'react-admin'

/** The heading of a part of a form. The first part begins at the form's top. */
export const SectionHeading = styled('h3')(({ theme }) => ({
  margin: theme.spacing(3, 0, 1.5),
  'section:first-of-type > &': { marginTop: 0 },
  fontSize: 14,
  fontWeight: 600,
  color: theme.vars.palette.text.secondary,
}))

/** The fields of a part of a form, one below the other: as wide as the form, whatever the longest word in them. */
export const SectionFields = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(2),
}))

interface FieldsSuspenseProps {
  /** Is told whether fields are still being fetched: what nobody has seen is not to be saved. */
  onPending: (isPending: boolean) => void
  children: ReactNode
}

/** The fields of a form, some of which are fetched when they are first drawn; a progress indicator stands in their place. */
export function FieldsSuspense({ onPending, children }: FieldsSuspenseProps) {
  return <Suspense fallback={<PendingFields onPending={onPending} />}>{children}</Suspense>
}

function PendingFields({ onPending }: Pick<FieldsSuspenseProps, 'onPending'>) {
  const translate = useTranslate()
  useLayoutEffect(() => {
    onPending(true)
    return () => onPending(false)
  }, [onPending])
  return <CircularProgress size={24} aria-label={translate('app.list.loading')} />
}
