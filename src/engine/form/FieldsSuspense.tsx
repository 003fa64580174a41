import CircularProgress from '@mui/material/CircularProgress'
import { type ReactNode, Suspense, useLayoutEffect } from 'react'
import { useTranslate } from 'react-admin'

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
