import { sharePath } from '../domain/app/webManifest.ts'
import { consolePath } from '../schemas/consolePath.ts'
import { keepShared } from '../storage/sharedFiles.ts'

/** Whether another app shares something, by the form that the manifest names. */
export const isShare = ({ method, url }: Pick<Request, 'method' | 'url'>): boolean =>
  method === 'POST' && new URL(url).pathname === sharePath

/**
 * Keeps the files of a share, and opens the page that asks where to upload them; text alone is searched for. Nothing of it
 * goes anywhere by itself: any page in this browser can send such a form.
 */
export async function takeShare(request: Request): Promise<Response> {
  const to = (path: string) => Response.redirect(new URL(path, request.url).href, 303)
  try {
    const form = await request.formData()
    const files = form.getAll('shared_files').flatMap((value) => (value instanceof File ? named(value) : []))
    if (files.length === 0) return to(`${consolePath}?${textsOf(form)}`)
    return to((await keepShared(files)) ? sharePath : `${sharePath}?problem=too_much`)
  } catch (error) {
    console.warn('Shared files could not be kept.', error)
    return to(`${sharePath}?problem=failed`)
  }
}

/**
 * A file under the last part of its name alone: a page names it as it likes, and `../../root/.ssh/authorized_keys` would
 * leave the folder to which somebody uploads it. None where nothing is left of the name.
 */
function named(file: File): File[] {
  const name = file.name.split(/[/\\]/).at(-1) ?? ''
  if (/^\.{0,2}$/.test(name)) return []
  return [name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })]
}

/** Characters of each text: what is longer is no search. */
const longestText = 1000

function textsOf(form: FormData): URLSearchParams {
  const texts = ['shared_title', 'shared_text', 'shared_url'].map((name) => [name, form.get(name)] as const)
  return new URLSearchParams(
    texts.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.slice(0, longestText)]] : [])),
  )
}
