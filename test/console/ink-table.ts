// ink-table outside of the bundle: it is CommonJS and requires Ink, which can only be imported. It finds the imported one as loaded.

import { createRequire } from "node:module";
import * as ink from "ink";

const require = createRequire(import.meta.url);
const place = require.resolve("ink");
require.cache[place] = { id: place, filename: place, loaded: true, exports: ink } as NodeJS.Module;

export default require("ink-table") as unknown;
