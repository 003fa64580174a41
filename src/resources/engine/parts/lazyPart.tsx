import Dialog from '@mui/material/Dialog'
import {
  type ComponentType,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  useEffect,
  useState,
  useTransition,
} from 'react'
import { useTranslate } from 'react-admin'
import { RetryAlert } from './RetryAlert.tsx'

/** The part's props, and what its failure needs to be drawn in its place. */
interface AttemptProps<P> {
  given: P
  isRetrying: boolean
  onRetry: () => void
}

type Attempt<P> = LazyExoticComponent<ComponentType<AttemptProps<P>>>

let preparation: () => Promise<unknown> = () => Promise.resolve()

/** What every part waits for besides its code: the texts that only such parts say. */
export function prepareParts(prepare: () => Promise<unknown>): void {
  preparation = prepare
}

/**
 * A part of the console that is fetched when it is first drawn; whoever draws it waits in a `Suspense`.
 *
 * React's own `lazy` would keep a failure for the whole visit and hand it to the error page, which takes the screen
 * away with all that was typed there. Here the failure is said in the place of the part, or in a dialog where the part
 * is something that closes (`onClose`), and it can be fetched again.
 */
export function lazyPart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): FunctionComponent<P> {
  let latest = newAttempt()

  function newAttempt(): Attempt<P> {
    return lazy(async () => {
      try {
        const [{ default: Part }] = await Promise.all([load(), preparation()])
        return { default: ({ given }) => <Part {...given} /> }
      } catch (error) {
        console.error(error)
        // A component of its own each time: the same one would go on as if nothing had failed again.
        return { default: (props) => <FailedPart {...props} /> }
      }
    })
  }

  /** Once it is seen, the failure is over: the next one to draw the part, or Retry, fetches it again. */
  function FailedPart({ given, ...retry }: AttemptProps<P>) {
    useEffect(() => {
      latest = newAttempt()
    }, [])
    const { onClose } = given as { onClose?: () => void }
    if (!onClose) return <Failure {...retry} />
    return (
      <Dialog open onClose={onClose}>
        <Failure {...retry} />
      </Dialog>
    )
  }

  return function Part(props: P) {
    const [{ Current }, setCurrent] = useState({ Current: latest })
    // What is on screen stays there meanwhile.
    const [isRetrying, startRetry] = useTransition()
    const retry = () => startRetry(() => setCurrent({ Current: latest }))
    return <Current given={props} isRetrying={isRetrying} onRetry={retry} />
  }
}

function Failure({ isRetrying, onRetry }: Omit<AttemptProps<unknown>, 'given'>) {
  const translate = useTranslate()
  return (
    <RetryAlert onRetry={onRetry} isRetrying={isRetrying}>
      {translate('app.part.failed')}
    </RetryAlert>
  )
}
