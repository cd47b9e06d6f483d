#!/usr/bin/env node
// Committed, not built: npm links a workspace's bin only when its target exists at install time.
import '../dist/main.js';
