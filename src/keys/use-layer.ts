// The dispatcher as React hooks: a component opens a layer while it is mounted.

import {
  createContext,
  createElement,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Dispatcher } from "./dispatcher.ts";
import type { ActiveBinding, Layer, OpenLayer } from "./layers.ts";
import { CursorProvider } from "./real-cursor.ts";

const DispatcherContext = createContext<Dispatcher | null>(null);

/** Provides the dispatcher to a tree, and makes input wait until the change of a key is drawn. */
export function DispatcherProvider(props: {
  readonly dispatcher: Dispatcher;
  readonly children?: ReactNode;
}): ReactNode {
  useDrawnBarrier(props.dispatcher);
  const inner = createElement(CursorProvider, null, props.children);
  return createElement(DispatcherContext, { value: props.dispatcher }, inner);
}

/** The dispatcher of the tree; throws outside of a `DispatcherProvider`. */
export function useDispatcher(): Dispatcher {
  const dispatcher = use(DispatcherContext);
  if (dispatcher === null) throw new Error("There is no DispatcherProvider around this component.");
  return dispatcher;
}

/** Opens a layer while the component is mounted and the layer is not null; its handlers are always those of the last render. */
export function useLayer(layer: Layer | null): void {
  const dispatcher = useDispatcher();
  const opened = useRef<OpenLayer | null>(null);
  useLayoutEffect(
    () => () => {
      opened.current?.close();
      opened.current = null;
    },
    [],
  );
  useLayoutEffect(() => {
    if (layer === null) {
      opened.current?.close();
      opened.current = null;
    } else if (opened.current === null) opened.current = dispatcher.open(layer);
    else opened.current.update(layer);
  });
}

/** What works now, for footer and help. */
export function useActiveBindings(): readonly ActiveBinding[] {
  const dispatcher = useDispatcher();
  return useSyncExternalStore(dispatcher.subscribe, dispatcher.active, dispatcher.active);
}

/**
 * Keys come faster than React draws: without waiting, the `x` of `:x` would still go to the layer below the palette.
 * A counter is raised after each used event; it is drawn together with the change or after it, and an effect of the
 * outermost component runs when all layers of that drawing are open.
 */
function useDrawnBarrier(dispatcher: Dispatcher): void {
  const [drawing] = useState(createDrawing);
  const asked = useSyncExternalStore(drawing.subscribe, drawing.asked, drawing.asked);
  useEffect(() => drawing.drawn(asked), [drawing, asked]);
  useEffect(() => {
    dispatcher.setBarrier(drawing.barrier);
    return () => dispatcher.setBarrier(null);
  }, [dispatcher, drawing]);
}

function createDrawing() {
  let count = 0;
  let waiting: (() => void) | null = null;
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    asked: () => count,
    barrier(done: () => void) {
      waiting = done;
      count += 1;
      for (const listener of listeners) listener();
    },
    drawn(number: number) {
      if (number !== count) return;
      const done = waiting;
      waiting = null;
      // First what other effects of the same drawing have set, and what the handler does after a promise.
      if (done !== null) setImmediate(done);
    },
  };
}
