import { nameOf, parentOf, type RawPath, shownPath } from '../transfer/remotePath.ts'

/** One step of the way down to a folder. */
export interface Step {
  path: RawPath
  /** For reading. */
  name: string
}

const stepsShown = 3

/** The last three steps to a folder, and the folders above these, the nearest first. */
export function breadcrumb(path: RawPath): { shown: Step[]; ancestors: Step[] } {
  const steps: Step[] = []
  for (let at: RawPath | undefined = path; at !== undefined; at = parentOf(at)) {
    steps.unshift({ path: at, name: shownPath(nameOf(at)) || '/' })
  }
  return { shown: steps.slice(-stepsShown), ancestors: steps.slice(0, -stepsShown).reverse() }
}
