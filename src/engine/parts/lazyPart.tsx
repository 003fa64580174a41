import {
  type ComponentType,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  type PropsWithChildren,
  Suspense,
  useEffect,
  useState,
  useTransition,
} from 'react'
import { useTranslate } from 'react-admin'
import { RetryAlert } from './ActionDialog.tsx'

/** The part's props, and what its failure needs to be drawn in its place. */
interface AttemptProps<P> {
  given: P
  isRetrying: boolean
  onRetry: () => void
}

type Attempt<P> = LazyExoticComponent<ComponentType<AttemptProps<P>>>

let prepareTexts: () => Promise<unknown> = () => Promise.resolve()

/** Sets what every part waits for besides its code: the texts that only such parts use. */
export function prepareParts(prepare: () => Promise<unknown>): void {
  prepareTexts = prepare
}

interface LazyPartOptions {
  /** Whether it waits for the texts. Default: yes; a part whose texts are all given to it need not. */
  hasTexts?: boolean
  /**
   * Whether there is one in each row: where it cannot be fetched, nothing stands in its place, not the same failure in
   * every row. The bar at the edge of the page says that the server is unreachable.
   */
  isInRows?: boolean
}

export interface LazyPart<P> extends FunctionComponent<P> {
  /**
   * Fetches it ahead, and never rejects. Drawn after that, it is there at once: React keeps what has suspended hidden for
   * at least 300 ms, also when its code is there already.
   */
  prepare: () => Promise<void>
}

/** Where the dialog's own code cannot be fetched either, the failure stands without it. */
const FailureDialog = lazy<ComponentType<PropsWithChildren<{ onClose: () => void }>>>(() =>
  import('./FailureDialog.tsx').catch(() => ({ default: ({ children }) => children })),
)

/**
 * A component that is fetched when it is first drawn, like React's `lazy`, with a retry; draw it inside a `Suspense`.
 *
 * React's own `lazy` would keep a failure until the next reload and throw it to the error page, which replaces the
 * screen with all that was typed there. Here the failure is shown in place of the part, or in a dialog when the part
 * has an `onClose`, and the part can be fetched again.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { hasTexts = true, isInRows = false }: LazyPartOptions = {},
): LazyPart<P> {
  let latest = newAttempt()
  let fetched: ComponentType<AttemptProps<P>> | undefined

  async function fetchPart(): Promise<ComponentType<AttemptProps<P>>> {
    const [{ default: Part }] = await Promise.all([load(), hasTexts && prepareTexts()])
    fetched ??= ({ given }) => <Part {...given} />
    return fetched
  }

  function newAttempt(): Attempt<P> {
    return lazy(async () => {
      try {
        return { default: await fetchPart() }
      } catch (error) {
        console.error(error)
        // A new component each time: with the same one React would not mount the failure again.
        return { default: (props) => <FailedPart {...props} /> }
      }
    })
  }

  /** Once the failure is shown, the next drawing of the part, or Retry, fetches it again. */
  function FailedPart({ given, ...retry }: AttemptProps<P>) {
    useEffect(() => {
      latest = newAttempt()
    }, [])
    if (isInRows) return null
    const { onClose } = given as { onClose?: () => void }
    if (!onClose) return <Failure {...retry} />
    return (
      <Suspense>
        <FailureDialog onClose={onClose}>
          <Failure {...retry} />
        </FailureDialog>
      </Suspense>
    )
  }

  function Part(props: P) {
    const [{ Current }, setCurrent] = useState<{ Current: ComponentType<AttemptProps<P>> }>({
      Current: fetched ?? latest,
    })
    // What is on screen stays there meanwhile.
    const [isRetrying, startRetry] = useTransition()
    const retry = () => startRetry(() => setCurrent({ Current: latest }))
    return <Current given={props} isRetrying={isRetrying} onRetry={retry} />
  }

  return Object.assign(Part, {
    // What fails here is fetched again, and reported, when it is drawn.
    prepare: () =>
      fetchPart().then(
        () => {},
        () => {},
      ),
  })
}

function Failure({ isRetrying, onRetry }: Omit<AttemptProps<unknown>, 'given'>) {
  const translate = useTranslate()
  return (
    <RetryAlert onRetry={onRetry} isRetrying={isRetrying}>
      {translate('app.part.failed')}
    </RetryAlert>
  )
}
