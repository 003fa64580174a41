import {
  getDocument,
  type PageViewport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { z } from 'zod'

/** What one document may take. */
const pdfLimits = {
  /** Pixels of a picture inside a document; larger ones are left out. 64 MPx are 256 MiB. */
  imagePixels: 64 * 2 ** 20,
  /** Pixels of the canvas of a page: beyond, it is drawn coarser. */
  canvasPixels: 16 * 2 ** 20,
  /** Pixels of the style sheet that a page is wide or high at most: beyond, it is drawn smaller. */
  side: 16_384,
  /** Links of one page. */
  links: 500,
} as const

/** Milliseconds that the worker may take to end by itself. */
const cleanupTimeoutMs = 1_000

/** Why a document cannot be shown. */
export type PdfProblem = 'encrypted' | 'broken'

/** A link on a page: its place in percent of the page, and where it leads. */
export interface PdfLink {
  /** Of this page only. */
  id: number
  left: number
  top: number
  width: number
  height: number
  /** An address on the web, or a page of the document. */
  to: { url: string } | { page: number }
}

export interface DrawnPage {
  canvas: HTMLCanvasElement
  /** Text that can be selected, to be laid over the canvas. */
  text: HTMLElement
  /** Pixels of the style sheet. */
  width: number
  height: number
  /** What `--total-scale-factor` of the frame around both has to be. */
  scale: number
  links: PdfLink[]
}

export interface OpenedPdf {
  pages: number
  /**
   * Draws a page, and gives up when the signal comes.
   * @param width of the page without zoom, in pixels of the style sheet
   */
  draw(number: number, size: { width: number; zoom: number }, signal: AbortSignal): Promise<DrawnPage>
}

/**
 * Opens a document in a worker of its own. Neither its scripts nor its forms run: what would run them is not part of this.
 * @param bytes are given away to the worker
 * @returns how to end it, and the document. The promise rejects when the worker cannot be fetched
 */
export function openPdf(bytes: Uint8Array<ArrayBuffer>): { opened: Promise<OpenedPdf | PdfProblem>; close(): void } {
  const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
  const base = import.meta.env.BASE_URL
  // A build lays them there (scripts/build/pdfFiles.ts).
  const files = import.meta.env.DEV ? `${base}node_modules/pdfjs-dist/` : `${base}assets/pdfjs-${version}/`
  const port = PDFWorker.create({ port: worker, verbosity: 0 })
  const task = getDocument({
    data: bytes,
    worker: port,
    verbosity: 0,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    // The policy of the page has no WebAssembly in it.
    useWasm: false,
    maxImageSize: pdfLimits.imagePixels,
    canvasMaxAreaInBytes: pdfLimits.canvasPixels * 4,
    // It would be another worker; a page takes longer to be read than to be drawn.
    disableWorkerRendering: true,
  })
  const isLost = Promise.withResolvers<never>()
  worker.onerror = ({ message }) => isLost.reject(new Error(message || 'The worker for PDFs could not be started.'))
  const opened = task.promise.then(
    (document) => ({ pages: document.numPages, draw: drawing(document) }),
    (error: unknown): PdfProblem => {
      console.info('A PDF cannot be shown.', error)
      return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken'
    },
  )
  return {
    opened: Promise.race([opened, isLost.promise]),
    close() {
      isLost.promise.catch(() => {})
      // A document may keep the worker busy for ever: then it has no answer.
      const timeout = setTimeout(() => worker.terminate(), cleanupTimeoutMs)
      const end = () => {
        clearTimeout(timeout)
        worker.terminate()
        TextLayer.cleanup()
      }
      // It fails for a document that was still being opened.
      task.destroy().then(end, end)
    },
  }
}

const drawing =
  (document: PDFDocumentProxy): OpenedPdf['draw'] =>
  async (number, { width, zoom }, signal) => {
    const page = await document.getPage(number)
    signal.throwIfAborted()
    const plain = page.getViewport({ scale: 1 })
    const largest = Math.min(pdfLimits.side / plain.width, pdfLimits.side / plain.height)
    const scale = Math.min((width / plain.width) * zoom, largest)
    const viewport = page.getViewport({ scale })
    const ratio = Math.min(
      globalThis.devicePixelRatio || 1,
      Math.sqrt(pdfLimits.canvasPixels / (viewport.width * viewport.height)),
    )
    const canvas = globalThis.document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(viewport.width * ratio))
    canvas.height = Math.max(1, Math.floor(viewport.height * ratio))
    const rendering = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] })
    const text = globalThis.document.createElement('div')
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport })
    const stop = () => {
      rendering.cancel()
      layer.cancel()
    }
    signal.addEventListener('abort', stop)
    try {
      const [links] = await Promise.all([linksOf(document, page, viewport), rendering.promise, layer.render()])
      signal.throwIfAborted()
      return { canvas, text, width: viewport.width, height: viewport.height, scale, links }
    } finally {
      signal.removeEventListener('abort', stop)
      // What it needed for drawing, such as pictures, is not kept for pages that nobody looks at.
      if (!signal.aborted) page.cleanup()
    }
  }

/** What a document says of a link; anything else is none. */
const linkAnnotation = z.object({
  subtype: z.literal('Link'),
  rect: z.array(z.number()).length(4),
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** A name, or where it leads itself. */
  dest: z.union([z.string(), z.array(z.unknown())]).nullish(),
})
/** A page of the document, as a reference or as its index. */
const pageReference = z.union([z.int(), z.object({ num: z.int(), gen: z.int() })])

/** The links of a page that lead to the web, or to a page of the document. */
async function linksOf(document: PDFDocumentProxy, page: PDFPageProxy, viewport: PageViewport): Promise<PdfLink[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'display' })
  const found = annotations.flatMap((one) => linkAnnotation.safeParse(one).data ?? []).slice(0, pdfLimits.links)
  const links = await Promise.all(
    found.map(async ({ rect, url, dest }, id): Promise<PdfLink[]> => {
      const to = url ? { url } : await pageOf(document, dest ?? undefined)
      if (!to) return []
      const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(rect[0] ?? 0, rect[1] ?? 0)
      const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(rect[2] ?? 0, rect[3] ?? 0)
      const [across, down] = [100 / viewport.width, 100 / viewport.height]
      return [
        {
          id,
          left: Math.min(x1, x2) * across,
          top: Math.min(y1, y2) * down,
          width: Math.abs(x2 - x1) * across,
          height: Math.abs(y2 - y1) * down,
          to,
        },
      ]
    }),
  )
  return links.flat()
}

async function pageOf(
  document: PDFDocumentProxy,
  dest: string | unknown[] | undefined,
): Promise<{ page: number } | undefined> {
  try {
    const [first] = (typeof dest === 'string' ? await document.getDestination(dest) : dest) ?? []
    const reference = pageReference.safeParse(first).data
    if (reference === undefined) return undefined
    return { page: (typeof reference === 'number' ? reference : await document.getPageIndex(reference)) + 1 }
  } catch {
    // It leads to a page that is not there.
    return undefined
  }
}
