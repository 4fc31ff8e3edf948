// Unpacks the browser of the package into TMPDIR.
import packaged from '@sparticuz/chromium'

await packaged.executablePath()
