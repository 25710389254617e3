// Connects stores to React: a component re-renders when its selection changes.

export { useStore } from "zustand";
