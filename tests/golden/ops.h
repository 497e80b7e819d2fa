/* Golden values of every operation, made by make_ops.py with PyTorch. Not for editing. */
/* clang-format off */
static tg_tensor golden_build(int number, const tg_tensor *x) {
    switch (number) {
    case 0: return tg_add(x[0], x[1]);
    case 1: return tg_add(x[0], x[1]);
    case 2: return tg_add(x[0], x[1]);
    case 3: return tg_add(x[0], x[1]);
    case 4: return tg_add(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 5: return tg_add(x[0], x[0]);
    case 6: return tg_sub(x[0], x[1]);
    case 7: return tg_sub(x[0], x[1]);
    case 8: return tg_sub(x[0], x[1]);
    case 9: return tg_sub(x[0], x[1]);
    case 10: return tg_sub(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 11: return tg_sub(x[0], x[0]);
    case 12: return tg_mul(x[0], x[1]);
    case 13: return tg_mul(x[0], x[1]);
    case 14: return tg_mul(x[0], x[1]);
    case 15: return tg_mul(x[0], x[1]);
    case 16: return tg_mul(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 17: return tg_mul(x[0], x[0]);
    case 18: return tg_div(x[0], x[1]);
    case 19: return tg_div(x[0], x[1]);
    case 20: return tg_div(x[0], x[1]);
    case 21: return tg_div(x[0], x[1]);
    case 22: return tg_div(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 23: return tg_div(x[0], x[0]);
    case 24: return tg_div(x[0], x[1]);
    case 25: return tg_maximum(x[0], x[1]);
    case 26: return tg_maximum(x[0], x[1]);
    case 27: return tg_maximum(x[0], x[1]);
    case 28: return tg_maximum(x[0], x[1]);
    case 29: return tg_maximum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 30: return tg_maximum(x[0], x[0]);
    case 31: return tg_maximum(x[0], x[1]);
    case 32: return tg_minimum(x[0], x[1]);
    case 33: return tg_minimum(x[0], x[1]);
    case 34: return tg_minimum(x[0], x[1]);
    case 35: return tg_minimum(x[0], x[1]);
    case 36: return tg_minimum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 37: return tg_minimum(x[0], x[0]);
    case 38: return tg_minimum(x[0], x[1]);
    case 39: return tg_neg(x[0]);
    case 40: return tg_neg(tg_transpose(x[0], 0, 1));
    case 41: return tg_neg(x[0]);
    case 42: return tg_neg(x[0]);
    case 43: return tg_neg(x[0]);
    case 44: return tg_exp(x[0]);
    case 45: return tg_exp(tg_transpose(x[0], 0, 1));
    case 46: return tg_exp(x[0]);
    case 47: return tg_exp(x[0]);
    case 48: return tg_exp(x[0]);
    case 49: return tg_log(x[0]);
    case 50: return tg_log(x[0]);
    case 51: return tg_sqrt(x[0]);
    case 52: return tg_sqrt(x[0]);
    case 53: return tg_square(x[0]);
    case 54: return tg_square(tg_transpose(x[0], 0, 1));
    case 55: return tg_square(x[0]);
    case 56: return tg_square(x[0]);
    case 57: return tg_square(x[0]);
    case 58: return tg_abs(x[0]);
    case 59: return tg_abs(tg_transpose(x[0], 0, 1));
    case 60: return tg_abs(x[0]);
    case 61: return tg_abs(x[0]);
    case 62: return tg_abs(x[0]);
    case 63: return tg_tanh(x[0]);
    case 64: return tg_tanh(tg_transpose(x[0], 0, 1));
    case 65: return tg_tanh(x[0]);
    case 66: return tg_tanh(x[0]);
    case 67: return tg_tanh(x[0]);
    case 68: return tg_sigmoid(x[0]);
    case 69: return tg_sigmoid(tg_transpose(x[0], 0, 1));
    case 70: return tg_sigmoid(x[0]);
    case 71: return tg_sigmoid(x[0]);
    case 72: return tg_sigmoid(x[0]);
    case 73: return tg_relu(x[0]);
    case 74: return tg_relu(tg_transpose(x[0], 0, 1));
    case 75: return tg_relu(x[0]);
    case 76: return tg_relu(x[0]);
    case 77: return tg_relu(x[0]);
    case 78: return tg_silu(x[0]);
    case 79: return tg_silu(tg_transpose(x[0], 0, 1));
    case 80: return tg_silu(x[0]);
    case 81: return tg_silu(x[0]);
    case 82: return tg_silu(x[0]);
    case 83: return tg_gelu(x[0]);
    case 84: return tg_gelu(tg_transpose(x[0], 0, 1));
    case 85: return tg_gelu(x[0]);
    case 86: return tg_gelu(x[0]);
    case 87: return tg_gelu(x[0]);
    case 88: return tg_gelu_tanh(x[0]);
    case 89: return tg_gelu_tanh(tg_transpose(x[0], 0, 1));
    case 90: return tg_gelu_tanh(x[0]);
    case 91: return tg_gelu_tanh(x[0]);
    case 92: return tg_gelu_tanh(x[0]);
    case 93: return tg_pow(x[0], 2);
    case 94: return tg_pow(x[0], 3);
    case 95: return tg_pow(x[0], 1);
    case 96: return tg_pow(x[0], 0);
    case 97: return tg_pow(x[0], -1);
    case 98: return tg_pow(x[0], -2);
    case 99: return tg_pow(x[0], 0.5);
    case 100: return tg_pow(x[0], 2.5);
    case 101: return tg_pow(x[0], -0.5);
    case 102: return tg_pow(x[0], 0);
    case 103: return tg_pow(x[0], 1);
    case 104: return tg_pow(x[0], 2);
    case 105: return tg_pow(x[0], 3);
    case 106: return tg_clamp(x[0], -1, 0.5);
    case 107: return tg_clamp(x[0], 0.3, (double)INFINITY);
    case 108: return tg_add_scalar(x[0], 1.5);
    case 109: return tg_add_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 110: return tg_sub_scalar(x[0], 1.5);
    case 111: return tg_sub_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 112: return tg_rsub_scalar(1.5, x[0]);
    case 113: return tg_rsub_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 114: return tg_mul_scalar(x[0], -1.5);
    case 115: return tg_mul_scalar(tg_transpose(x[0], 0, 1), -1.5);
    case 116: return tg_div_scalar(x[0], 3);
    case 117: return tg_div_scalar(tg_transpose(x[0], 0, 1), 3);
    case 118: return tg_rdiv_scalar(1.5, x[0]);
    case 119: return tg_rdiv_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 120: return tg_eq(x[0], x[1]);
    case 121: return tg_lt(x[0], x[1]);
    case 122: return tg_gt(x[0], x[1]);
    case 123: return tg_eq(x[0], x[1]);
    case 124: return tg_logical_not(x[0]);
    case 125: return tg_to_bool(x[0]);
    case 126: return tg_to_bool(x[0]);
    case 127: return tg_to_float(x[0]);
    case 128: return tg_to_float(x[0]);
    case 129: return tg_where(x[0], x[1], x[2]);
    case 130: return tg_where(x[0], x[1], x[2]);
    case 131: return tg_masked_fill(x[0], x[1], -2.5);
    case 132: return tg_masked_fill(tg_transpose(x[0], 0, 1), x[1], -(double)INFINITY);
    case 133: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 134: return tg_sum(x[0], TG_ALL_DIMS, true);
    case 135: return tg_sum(x[0], TG_DIMS(-1), false);
    case 136: return tg_sum(x[0], TG_DIMS(0, -1), false);
    case 137: return tg_sum(x[0], TG_DIMS(-2), true);
    case 138: return tg_sum(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 139: return tg_sum(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 140: return tg_sum(x[0], TG_DIMS(0), false);
    case 141: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 142: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 143: return tg_mean(x[0], TG_ALL_DIMS, true);
    case 144: return tg_mean(x[0], TG_DIMS(-1), false);
    case 145: return tg_mean(x[0], TG_DIMS(0, -1), false);
    case 146: return tg_mean(x[0], TG_DIMS(-2), true);
    case 147: return tg_mean(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 148: return tg_mean(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 149: return tg_mean(x[0], TG_DIMS(0), false);
    case 150: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 151: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 152: return tg_amax(x[0], TG_ALL_DIMS, true);
    case 153: return tg_amax(x[0], TG_DIMS(-1), false);
    case 154: return tg_amax(x[0], TG_DIMS(0, -1), false);
    case 155: return tg_amax(x[0], TG_DIMS(-2), true);
    case 156: return tg_amax(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 157: return tg_amax(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 158: return tg_amax(x[0], TG_DIMS(0), false);
    case 159: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 160: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 161: return tg_amin(x[0], TG_ALL_DIMS, true);
    case 162: return tg_amin(x[0], TG_DIMS(-1), false);
    case 163: return tg_amin(x[0], TG_DIMS(0, -1), false);
    case 164: return tg_amin(x[0], TG_DIMS(-2), true);
    case 165: return tg_amin(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 166: return tg_amin(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 167: return tg_amin(x[0], TG_DIMS(0), false);
    case 168: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 169: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 170: return tg_logsumexp(x[0], TG_ALL_DIMS, true);
    case 171: return tg_logsumexp(x[0], TG_DIMS(-1), false);
    case 172: return tg_logsumexp(x[0], TG_DIMS(0, -1), false);
    case 173: return tg_logsumexp(x[0], TG_DIMS(-2), true);
    case 174: return tg_logsumexp(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 175: return tg_logsumexp(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 176: return tg_logsumexp(x[0], TG_DIMS(0), false);
    case 177: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 178: return tg_sum(x[0], TG_DIMS(1), false);
    case 179: return tg_mean(x[0], TG_DIMS(1), false);
    case 180: return tg_amax(x[0], TG_DIMS(1), false);
    case 181: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 182: return tg_amin(x[0], TG_DIMS(1), false);
    case 183: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 184: return tg_logsumexp(x[0], TG_DIMS(1), false);
    case 185: return tg_var(x[0], TG_DIMS(1), 0, false);
    case 186: return tg_var(x[0], TG_DIMS(1), 1, false);
    case 187: return tg_var(x[0], TG_DIMS(1), 1.5, false);
    case 188: return tg_var(x[0], TG_DIMS(0, -1), 1, true);
    case 189: return tg_var(tg_transpose(x[0], 0, 1), TG_ALL_DIMS, 0, false);
    case 190: return tg_argmax(x[0], 0, false);
    case 191: return tg_argmax(x[0], -1, true);
    case 192: return tg_argmax(x[0], 1, false);
    case 193: return tg_reshape(x[0], TG_SHAPE(3, -1));
    case 194: return tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(-1));
    case 195: return tg_mul(tg_reshape(tg_slice(x[0], 0, 1, 3, 1), TG_SHAPE(4)), x[1]);
    case 196: return tg_mul(tg_transpose(x[0], -1, 0), x[1]);
    case 197: return tg_mul(tg_permute(x[0], TG_DIMS(2, 0, -2)), x[1]);
    case 198: return tg_slice(x[0], 1, 1, 6, 2);
    case 199: return tg_slice(x[0], -2, -2, 99, 1);
    case 200: return tg_slice(x[0], 0, 3, 1, 1);
    case 201: return tg_mul(tg_slice(x[0], 0, 0, 3, 1), tg_slice(x[0], 0, 1, 4, 1));
    case 202: return tg_select(x[0], 1, -1);
    case 203: return tg_mul(tg_select(x[0], 0, 1), tg_select(x[0], 0, 0));
    case 204: return tg_squeeze(x[0], -2);
    case 205: return tg_mul(tg_squeeze(x[0], 0), x[1]);
    case 206: return tg_mul(tg_unsqueeze(x[0], -1), x[1]);
    case 207: return tg_mul(tg_expand(x[0], TG_SHAPE(2, -1, 3)), x[1]);
    case 208: return tg_expand(x[0], TG_SHAPE(0, 3));
    case 209: return tg_contiguous(tg_transpose(x[0], 0, 1));
    case 210: return tg_mul(tg_clone(x[0]), x[0]);
    case 211: return tg_mul(x[0], tg_detach(x[0]));
    case 212: return tg_cat((tg_tensor[]){x[0], x[1], x[2]}, 3, 1);
    case 213: return tg_cat((tg_tensor[]){tg_transpose(x[0], 0, 1), x[1], x[1]}, 3, -2);
    case 214: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, -1);
    case 215: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, 0);
    case 216: return tg_mul(part(x[0], 2, 1, 0, 3), part(x[0], 2, 1, 1, 3));
    case 217: return part(x[0], 2, -1, 2, 3);
    case 218: return tg_tril(x[0], 0);
    case 219: return tg_tril(x[0], 1);
    case 220: return tg_tril(x[0], -1);
    case 221: return tg_tril(tg_transpose(x[0], 0, 1), 0);
    case 222: return tg_triu(x[0], 0);
    case 223: return tg_triu(x[0], 1);
    case 224: return tg_triu(x[0], -1);
    case 225: return tg_triu(tg_transpose(x[0], 0, 1), 0);
    case 226: return tg_matmul(x[0], x[1]);
    case 227: return tg_matmul(x[0], x[1]);
    case 228: return tg_matmul(x[0], x[1]);
    case 229: return tg_matmul(x[0], x[1]);
    case 230: return tg_matmul(x[0], x[1]);
    case 231: return tg_matmul(x[0], x[1]);
    case 232: return tg_matmul(x[0], x[1]);
    case 233: return tg_matmul(x[0], x[1]);
    case 234: return tg_matmul(x[0], x[1]);
    case 235: return tg_matmul(tg_transpose(x[0], 1, 2), tg_transpose(x[1], -1, -2));
    case 236: return tg_matmul(tg_slice(x[0], 1, 0, 4, 2), tg_slice(x[1], 0, 1, 3, 1));
    case 237: return tg_matmul(x[0], tg_transpose(x[0], 0, 1));
    case 238: return tg_linear(x[0], x[1], x[2]);
    case 239: return tg_linear(x[0], x[1], TG_NULL);
    case 240: return tg_linear(x[0], x[1], x[2]);
    case 241: return tg_linear(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2]);
    case 242: return tg_linear(x[0], x[1], x[2]);
    case 243: return tg_softmax(x[0], -1);
    case 244: return tg_softmax(x[0], 0);
    case 245: return tg_softmax(x[0], 1);
    case 246: return tg_softmax(x[0], 0);
    case 247: return tg_softmax(x[0], 1);
    case 248: return tg_softmax(tg_transpose(x[0], 0, 1), 1);
    case 249: return tg_softmax(x[0], 1);
    case 250: return tg_log_softmax(x[0], -1);
    case 251: return tg_log_softmax(x[0], 0);
    case 252: return tg_log_softmax(x[0], 1);
    case 253: return tg_log_softmax(x[0], 0);
    case 254: return tg_log_softmax(x[0], 1);
    case 255: return tg_log_softmax(tg_transpose(x[0], 0, 1), 1);
    case 256: return tg_log_softmax(x[0], 1);
    case 257: return tg_softmax(x[0], 1);
    case 258: return tg_log_softmax(tg_masked_fill(x[0], x[1], -(double)INFINITY), 1);
    case 259: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 260: return tg_layer_norm(x[0], TG_NULL, TG_NULL, 0.1);
    case 261: return tg_layer_norm(tg_transpose(x[0], 0, 1), x[1], TG_NULL, 1e-5);
    case 262: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 263: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    case 264: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0);
    case 265: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0.25);
    case 266: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 267: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 268: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0.5);
    case 269: return tg_scaled_dot_product_attention(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2], TG_NULL, false, 0, 0);
    case 270: return tg_embedding(x[0], x[1]);
    case 271: return tg_embedding(x[0], x[1]);
    case 272: return tg_embedding(tg_transpose(x[0], 0, 1), x[1]);
    case 273: return tg_index_select(x[0], 0, x[1]);
    case 274: return tg_index_select(x[0], -1, x[1]);
    case 275: return tg_index_select(x[0], 1, x[1]);
    case 276: return tg_gather(x[0], 1, x[1]);
    case 277: return tg_gather(x[0], -2, x[1]);
    case 278: return tg_gather(tg_transpose(x[0], 0, 1), 1, x[1]);
    case 279: return dropped(x[0], 0.5);
    case 280: return dropped(x[0], 0.25);
    case 281: return dropped(x[0], 1);
    case 282: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 283: return tg_cross_entropy(x[0], x[1], 2, TG_MEAN);
    case 284: return tg_mse_loss(x[0], x[1], TG_MEAN);
    case 285: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 286: return tg_cross_entropy(x[0], x[1], 2, TG_SUM);
    case 287: return tg_mse_loss(x[0], x[1], TG_SUM);
    case 288: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_NONE);
    case 289: return tg_cross_entropy(x[0], x[1], 2, TG_NONE);
    case 290: return tg_mse_loss(x[0], x[1], TG_NONE);
    case 291: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 292: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 293: return tg_cross_entropy(tg_transpose(x[0], 0, 1), x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 294: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 295: return a_b_plus_sin_a(x[0], x[1]);
    case 296: return a_b_plus_sin_a(x[0], tg_slice(x[1], 0, 0, 8, 2));
    case 297: return tg_bias_gelu(x[0], x[1]);
    case 298: return tg_bias_gelu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 0, 0, 4, 2));
    case 299: return tg_bias_gelu(x[0], x[0]);
    case 300: return tg_sin(x[0]);
    case 301: return tg_sin(tg_transpose(x[0], 0, 1));
    case 302: return tg_sin(x[0]);
    case 303: return tg_sin(x[0]);
    case 304: return tg_sin(x[0]);
    case 305: return tg_cos(x[0]);
    case 306: return tg_cos(tg_transpose(x[0], 0, 1));
    case 307: return tg_cos(x[0]);
    case 308: return tg_cos(x[0]);
    case 309: return tg_cos(x[0]);
    case 310: return tg_erf(x[0]);
    case 311: return tg_erf(tg_transpose(x[0], 0, 1));
    case 312: return tg_erf(x[0]);
    case 313: return tg_erf(x[0]);
    case 314: return tg_erf(x[0]);
    case 315: return tg_expm1(x[0]);
    case 316: return tg_expm1(tg_transpose(x[0], 0, 1));
    case 317: return tg_expm1(x[0]);
    case 318: return tg_expm1(x[0]);
    case 319: return tg_expm1(x[0]);
    case 320: return tg_softplus(x[0]);
    case 321: return tg_softplus(tg_transpose(x[0], 0, 1));
    case 322: return tg_softplus(x[0]);
    case 323: return tg_softplus(x[0]);
    case 324: return tg_softplus(x[0]);
    case 325: return tg_log1p(x[0]);
    case 326: return tg_log1p(x[0]);
    case 327: return tg_rsqrt(x[0]);
    case 328: return tg_rsqrt(x[0]);
    case 329: return tg_leaky_relu(x[0], 0.125);
    case 330: return tg_leaky_relu(x[0], 0.01);
    case 331: return tg_elu(x[0], 1);
    case 332: return tg_elu(x[0], 1.5);
    case 333: return tg_pow_tensor(x[0], x[1]);
    case 334: return tg_pow_tensor(x[0], x[1]);
    case 335: return tg_pow_tensor(x[0], tg_detach(x[1]));
    case 336: return tg_pow_tensor(x[0], x[1]);
    case 337: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 338: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 339: return tg_eq(x[0], x[1]);
    case 340: return tg_eq(x[0], x[1]);
    case 341: return tg_ne(x[0], x[1]);
    case 342: return tg_ne(x[0], x[1]);
    case 343: return tg_lt(x[0], x[1]);
    case 344: return tg_lt(x[0], x[1]);
    case 345: return tg_le(x[0], x[1]);
    case 346: return tg_le(x[0], x[1]);
    case 347: return tg_gt(x[0], x[1]);
    case 348: return tg_gt(x[0], x[1]);
    case 349: return tg_ge(x[0], x[1]);
    case 350: return tg_ge(x[0], x[1]);
    case 351: return tg_isnan(x[0]);
    case 352: return tg_logical_and(x[0], x[1]);
    case 353: return tg_logical_or(x[0], x[1]);
    case 354: return tg_any(x[0], TG_DIMS(1), true);
    case 355: return tg_any(x[0], TG_DIMS(1), true);
    case 356: return tg_any(x[0], TG_ALL_DIMS, false);
    case 357: return tg_any(x[0], TG_DIMS(1), false);
    case 358: return tg_all(x[0], TG_DIMS(1), true);
    case 359: return tg_all(x[0], TG_DIMS(1), true);
    case 360: return tg_all(x[0], TG_ALL_DIMS, false);
    case 361: return tg_all(x[0], TG_DIMS(1), false);
    case 362: return tg_prod(x[0], TG_ALL_DIMS, false);
    case 363: return tg_prod(x[0], TG_DIMS(0, -1), true);
    case 364: return tg_prod(tg_transpose(x[0], 0, 2), TG_DIMS(1), false);
    case 365: return tg_prod(x[0], TG_DIMS(1), false);
    case 366: return tg_prod(x[0], TG_DIMS(1), false);
    case 367: return tg_std(x[0], TG_DIMS(1), 0, false);
    case 368: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 369: return tg_std(x[0], TG_DIMS(0, -1), 1, true);
    case 370: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 371: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 372: return tg_norm(tg_transpose(x[0], 0, 1), 2, TG_ALL_DIMS, true);
    case 373: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 374: return tg_norm(tg_transpose(x[0], 0, 1), 1, TG_ALL_DIMS, true);
    case 375: return tg_norm(x[0], 3, TG_DIMS(1), false);
    case 376: return tg_norm(tg_transpose(x[0], 0, 1), 3, TG_ALL_DIMS, true);
    case 377: return tg_norm(x[0], 0.5, TG_DIMS(1), false);
    case 378: return tg_norm(tg_transpose(x[0], 0, 1), 0.5, TG_ALL_DIMS, true);
    case 379: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 380: return tg_norm(tg_transpose(x[0], 0, 1), (double)INFINITY, TG_ALL_DIMS, true);
    case 381: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 382: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 383: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 384: return tg_cumsum(x[0], 0);
    case 385: return tg_cumsum(x[0], -1);
    case 386: return tg_cumsum(x[0], 1);
    case 387: return tg_cumsum(tg_transpose(x[0], 0, 1), 1);
    case 388: return tg_argsort(x[0], 1, false);
    case 389: return tg_argsort(tg_transpose(x[0], 0, 1), 0, false);
    case 390: return tg_sort(x[0], 0, false, NULL);
    case 391: return tg_argsort(x[0], 1, true);
    case 392: return tg_argsort(tg_transpose(x[0], 0, 1), 0, true);
    case 393: return tg_sort(x[0], 0, true, NULL);
    case 394: return tg_topk(x[0], 2, -1, false, NULL);
    case 395: return tg_topk(x[0], 2, -1, true, NULL);
    case 396: return tg_max_dim(x[0], 1, false, NULL);
    case 397: return tg_max_dim(x[0], 0, true, NULL);
    case 398: return tg_min_dim(x[0], 1, false, NULL);
    case 399: return tg_min_dim(x[0], 0, true, NULL);
    case 400: return tg_argmin(x[0], 0, false);
    case 401: return tg_argmin(x[0], -1, true);
    case 402: return tg_argmin(x[0], 1, false);
    case 403: return tg_index_add(x[0], 0, x[1], x[2]);
    case 404: return tg_index_add(x[0], -1, x[1], x[2]);
    case 405: return tg_index_add(tg_transpose(x[0], 0, 1), 1, x[1], tg_transpose(x[2], 0, 1));
    case 406: return tg_scatter_add(x[0], 0, x[1], x[2]);
    case 407: return tg_scatter_add(x[0], 1, x[1], x[2]);
    case 408: return tg_scatter_add(x[0], -1, x[1], x[2]);
    default: return TG_NULL;
    }
}

static const golden_case golden_cases[] = {
    {"add", "", "f2,3 f2,3", "f2,3", 0},
    {"add", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 36},
    {"add", "a scalar broadcasts", "f2,3 f", "f2,3", 104},
    {"add", "empty", "f0,3 f1,3", "f0,3", 130},
    {"add", "views", "f2,3 f3,4", "f3,2", 136},
    {"add", "one operand twice", "f3", "f3", 184},
    {"sub", "", "f2,3 f2,3", "f2,3", 196},
    {"sub", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 232},
    {"sub", "a scalar broadcasts", "f2,3 f", "f2,3", 300},
    {"sub", "empty", "f0,3 f1,3", "f0,3", 326},
    {"sub", "views", "f2,3 f3,4", "f3,2", 332},
    {"sub", "one operand twice", "f3", "f3", 380},
    {"mul", "", "f2,3 f2,3", "f2,3", 392},
    {"mul", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 428},
    {"mul", "a scalar broadcasts", "f2,3 f", "f2,3", 496},
    {"mul", "empty", "f0,3 f1,3", "f0,3", 522},
    {"mul", "views", "f2,3 f3,4", "f3,2", 528},
    {"mul", "one operand twice", "f3", "f3", 576},
    {"div", "", "f2,3 f2,3", "f2,3", 588},
    {"div", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 624},
    {"div", "a scalar broadcasts", "f2,3 f", "f2,3", 692},
    {"div", "empty", "f0,3 f1,3", "f0,3", 718},
    {"div", "views", "f2,3 f3,4", "f3,2", 724},
    {"div", "one operand twice", "f3", "f3", 772},
    {"div", "special points", "f4 f4", "f4", 784},
    {"maximum", "", "f2,3 f2,3", "f2,3", 808},
    {"maximum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 844},
    {"maximum", "a scalar broadcasts", "f2,3 f", "f2,3", 912},
    {"maximum", "empty", "f0,3 f1,3", "f0,3", 938},
    {"maximum", "views", "f2,3 f3,4", "f3,2", 944},
    {"maximum", "one operand twice", "f3", "f3", 992},
    {"maximum", "special points", "f4 f4", "f4", 1004},
    {"minimum", "", "f2,3 f2,3", "f2,3", 1028},
    {"minimum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 1064},
    {"minimum", "a scalar broadcasts", "f2,3 f", "f2,3", 1132},
    {"minimum", "empty", "f0,3 f1,3", "f0,3", 1158},
    {"minimum", "views", "f2,3 f3,4", "f3,2", 1164},
    {"minimum", "one operand twice", "f3", "f3", 1212},
    {"minimum", "special points", "f4 f4", "f4", 1224},
    {"neg", "", "f2,3", "f2,3", 1248},
    {"neg", "a view", "f3,2", "f2,3", 1272},
    {"neg", "a scalar", "f", "f", 1296},
    {"neg", "empty", "f2,0", "f2,0", 1300},
    {"neg", "special points", "f2", "f2", 1300},
    {"exp", "", "f2,3", "f2,3", 1308},
    {"exp", "a view", "f3,2", "f2,3", 1332},
    {"exp", "a scalar", "f", "f", 1356},
    {"exp", "empty", "f2,0", "f2,0", 1360},
    {"exp", "special points", "f3", "f3", 1360},
    {"log", "", "f2,3", "f2,3", 1372},
    {"log", "special points", "f3", "f3", 1396},
    {"sqrt", "", "f2,3", "f2,3", 1408},
    {"sqrt", "special points", "f3", "f3", 1432},
    {"square", "", "f2,3", "f2,3", 1444},
    {"square", "a view", "f3,2", "f2,3", 1468},
    {"square", "a scalar", "f", "f", 1492},
    {"square", "empty", "f2,0", "f2,0", 1496},
    {"square", "special points", "f1", "f1", 1496},
    {"abs", "", "f2,3", "f2,3", 1500},
    {"abs", "a view", "f3,2", "f2,3", 1524},
    {"abs", "a scalar", "f", "f", 1548},
    {"abs", "empty", "f2,0", "f2,0", 1552},
    {"abs", "special points", "f2", "f2", 1552},
    {"tanh", "", "f2,3", "f2,3", 1560},
    {"tanh", "a view", "f3,2", "f2,3", 1584},
    {"tanh", "a scalar", "f", "f", 1608},
    {"tanh", "empty", "f2,0", "f2,0", 1612},
    {"tanh", "special points", "f3", "f3", 1612},
    {"sigmoid", "", "f2,3", "f2,3", 1624},
    {"sigmoid", "a view", "f3,2", "f2,3", 1648},
    {"sigmoid", "a scalar", "f", "f", 1672},
    {"sigmoid", "empty", "f2,0", "f2,0", 1676},
    {"sigmoid", "special points", "f4", "f4", 1676},
    {"relu", "", "f2,3", "f2,3", 1692},
    {"relu", "a view", "f3,2", "f2,3", 1716},
    {"relu", "a scalar", "f", "f", 1740},
    {"relu", "empty", "f2,0", "f2,0", 1744},
    {"relu", "special points", "f3", "f3", 1744},
    {"silu", "", "f2,3", "f2,3", 1756},
    {"silu", "a view", "f3,2", "f2,3", 1780},
    {"silu", "a scalar", "f", "f", 1804},
    {"silu", "empty", "f2,0", "f2,0", 1808},
    {"silu", "special points", "f3", "f3", 1808},
    {"gelu", "", "f2,3", "f2,3", 1820},
    {"gelu", "a view", "f3,2", "f2,3", 1844},
    {"gelu", "a scalar", "f", "f", 1868},
    {"gelu", "empty", "f2,0", "f2,0", 1872},
    {"gelu", "special points", "f3", "f3", 1872},
    {"gelu_tanh", "", "f2,3", "f2,3", 1884},
    {"gelu_tanh", "a view", "f3,2", "f2,3", 1908},
    {"gelu_tanh", "a scalar", "f", "f", 1932},
    {"gelu_tanh", "empty", "f2,0", "f2,0", 1936},
    {"gelu_tanh", "special points", "f3", "f3", 1936},
    {"pow", "both signs", "f5", "f5", 1948},
    {"pow", "both signs", "f5", "f5", 1968},
    {"pow", "both signs", "f5", "f5", 1988},
    {"pow", "both signs", "f5", "f5", 2008},
    {"pow", "both signs", "f5", "f5", 2028},
    {"pow", "both signs", "f5", "f5", 2048},
    {"pow", "", "f5", "f5", 2068},
    {"pow", "", "f5", "f5", 2088},
    {"pow", "", "f5", "f5", 2108},
    {"pow", "at 0", "f3", "f3", 2128},
    {"pow", "at 0", "f3", "f3", 2140},
    {"pow", "at 0", "f3", "f3", 2152},
    {"pow", "at 0", "f3", "f3", 2164},
    {"clamp", "", "f5", "f5", 2176},
    {"clamp", "one bound", "f3,2", "f3,2", 2196},
    {"add_scalar", "", "f2,3", "f2,3", 2220},
    {"add_scalar", "a view", "f2,3", "f3,2", 2244},
    {"sub_scalar", "", "f2,3", "f2,3", 2268},
    {"sub_scalar", "a view", "f2,3", "f3,2", 2292},
    {"rsub_scalar", "", "f2,3", "f2,3", 2316},
    {"rsub_scalar", "a view", "f2,3", "f3,2", 2340},
    {"mul_scalar", "", "f2,3", "f2,3", 2364},
    {"mul_scalar", "a view", "f2,3", "f3,2", 2388},
    {"div_scalar", "", "f2,3", "f2,3", 2412},
    {"div_scalar", "a view", "f2,3", "f3,2", 2436},
    {"rdiv_scalar", "", "f2,3", "f2,3", 2460},
    {"rdiv_scalar", "a view", "f2,3", "f3,2", 2484},
    {"eq", "", "f2,2 f2", "b2,2", 2508},
    {"lt", "", "f2,2 f2", "b2,2", 2518},
    {"gt", "", "f2,2 f2", "b2,2", 2528},
    {"eq", "ints", "i3 i2,1", "b2,3", 2538},
    {"logical_not", "", "b2,2", "b2,2", 2549},
    {"to_bool", "", "f4", "b4", 2557},
    {"to_bool", "", "i3", "b3", 2565},
    {"to_float", "", "i2,2", "c2,2", 2571},
    {"to_float", "", "b2", "c2", 2579},
    {"where", "", "b2,3 f2,3 f2,3", "f2,3", 2583},
    {"where", "all broadcast", "b3 f2,1 f", "f2,3", 2625},
    {"masked_fill", "the mask broadcasts", "f2,2,3 b2,3", "f2,2,3", 2646},
    {"masked_fill", "-inf", "f3,2 b2,3", "f2,3", 2700},
    {"sum", "", "f2,3", "f", 2730},
    {"sum", "keepdim", "f2,3", "f1,1", 2744},
    {"sum", "last dim", "f2,3", "f2", 2758},
    {"sum", "outer dims", "f2,3,2", "f3", 2774},
    {"sum", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2804},
    {"sum", "a view", "f2,3,2", "f2", 2836},
    {"sum", "expanded", "f2,1", "f2", 2864},
    {"sum", "empty result", "f2,0", "f0", 2872},
    {"sum", "a scalar", "f", "f", 2872},
    {"mean", "", "f2,3", "f", 2876},
    {"mean", "keepdim", "f2,3", "f1,1", 2890},
    {"mean", "last dim", "f2,3", "f2", 2904},
    {"mean", "outer dims", "f2,3,2", "f3", 2920},
    {"mean", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2950},
    {"mean", "a view", "f2,3,2", "f2", 2982},
    {"mean", "expanded", "f2,1", "f2", 3010},
    {"mean", "empty result", "f2,0", "f0", 3018},
    {"mean", "a scalar", "f", "f", 3018},
    {"amax", "", "f2,3", "f", 3022},
    {"amax", "keepdim", "f2,3", "f1,1", 3036},
    {"amax", "last dim", "f2,3", "f2", 3050},
    {"amax", "outer dims", "f2,3,2", "f3", 3066},
    {"amax", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3096},
    {"amax", "a view", "f2,3,2", "f2", 3128},
    {"amax", "expanded", "f2,1", "f2", 3156},
    {"amax", "empty result", "f2,0", "f0", 3164},
    {"amax", "a scalar", "f", "f", 3164},
    {"amin", "", "f2,3", "f", 3168},
    {"amin", "keepdim", "f2,3", "f1,1", 3182},
    {"amin", "last dim", "f2,3", "f2", 3196},
    {"amin", "outer dims", "f2,3,2", "f3", 3212},
    {"amin", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3242},
    {"amin", "a view", "f2,3,2", "f2", 3274},
    {"amin", "expanded", "f2,1", "f2", 3302},
    {"amin", "empty result", "f2,0", "f0", 3310},
    {"amin", "a scalar", "f", "f", 3310},
    {"logsumexp", "", "f2,3", "f", 3314},
    {"logsumexp", "keepdim", "f2,3", "f1,1", 3328},
    {"logsumexp", "last dim", "f2,3", "f2", 3342},
    {"logsumexp", "outer dims", "f2,3,2", "f3", 3358},
    {"logsumexp", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3388},
    {"logsumexp", "a view", "f2,3,2", "f2", 3420},
    {"logsumexp", "expanded", "f2,1", "f2", 3448},
    {"logsumexp", "empty result", "f2,0", "f0", 3456},
    {"logsumexp", "a scalar", "f", "f", 3456},
    {"sum", "over nothing", "f2,0", "f2", 3460},
    {"mean", "over nothing", "f2,0", "f2", 3464},
    {"amax", "ties", "f2,4", "f2", 3468},
    {"amax", "ties over all dims", "f2,2", "f", 3488},
    {"amin", "ties", "f2,4", "f2", 3498},
    {"amin", "ties over all dims", "f2,2", "f", 3518},
    {"logsumexp", "-inf and large", "f3,2", "f3", 3528},
    {"var", "", "f2,4", "f2", 3546},
    {"var", "", "f2,4", "f2", 3566},
    {"var", "", "f2,4", "f2", 3586},
    {"var", "outer dims, keepdim", "f2,3,2", "f1,3,1", 3606},
    {"var", "a view", "f2,3", "f", 3636},
    {"argmax", "ties: the first", "f2,3", "i3", 3650},
    {"argmax", "ties: the first", "f2,3", "i2,1", 3659},
    {"argmax", "ties: the first", "f2,3", "i2", 3667},
    {"reshape", "", "f2,6", "f3,4", 3675},
    {"reshape", "a copy", "f2,3", "f6", 3723},
    {"reshape", "of a slice, as a view", "f3,2 f4", "f4", 3747},
    {"transpose", "", "f2,3,2 f2,3,2", "f2,3,2", 3775},
    {"permute", "", "f2,3,2 f2,2,3", "f2,2,3", 3847},
    {"slice", "", "f2,7", "f2,3", 3919},
    {"slice", "negative, clamped", "f4,2", "f2,2", 3959},
    {"slice", "empty", "f4,2", "f0,2", 3983},
    {"slice", "overlapping", "f4", "f3", 3999},
    {"select", "", "f2,3,2", "f2,2", 4013},
    {"select", "to scalars", "f2", "f", 4045},
    {"squeeze", "", "f2,1,3", "f2,3", 4051},
    {"squeeze", "", "f1,3 f3", "f3", 4075},
    {"unsqueeze", "", "f2,3 f4", "f2,3,4", 4093},
    {"expand", "", "f2,1 f2,2,3", "f2,2,3", 4161},
    {"expand", "to nothing", "f1,3", "f0,3", 4213},
    {"contiguous", "", "f2,3", "f3,2", 4219},
    {"clone", "", "f3", "f3", 4243},
    {"detach", "", "f3", "f3", 4255},
    {"cat", "", "f2,1 f2,3 f2,0", "f2,4", 4267},
    {"cat", "a view, a part twice", "f2,2 f1,2", "f4,2", 4299},
    {"stack", "", "f2,3 f2,3", "f2,3,2", 4327},
    {"stack", "scalars", "f f", "f2", 4375},
    {"split", "", "f2,5", "f2,2", 4383},
    {"split", "the smaller last one", "f2,5", "f2,1", 4411},
    {"tril", "", "f2,3,3", "f2,3,3", 4435},
    {"tril", "", "f2,3,3", "f2,3,3", 4507},
    {"tril", "", "f2,3,3", "f2,3,3", 4579},
    {"tril", "a view, not square", "f4,2", "f2,4", 4651},
    {"triu", "", "f2,3,3", "f2,3,3", 4683},
    {"triu", "", "f2,3,3", "f2,3,3", 4755},
    {"triu", "", "f2,3,3", "f2,3,3", 4827},
    {"triu", "a view, not square", "f4,2", "f2,4", 4899},
    {"matmul", "(2, 3) (3, 4)", "f2,3 f3,4", "f2,4", 4931},
    {"matmul", "(3,) (3,)", "f3 f3", "f", 4983},
    {"matmul", "(3,) (2, 3, 2)", "f3 f2,3,2", "f2,2", 4997},
    {"matmul", "(2, 2, 3) (3,)", "f2,2,3 f3", "f2,2", 5035},
    {"matmul", "(2, 2, 3) (3, 2)", "f2,2,3 f3,2", "f2,2,2", 5073},
    {"matmul", "(2, 1, 2, 3) (3, 3, 2)", "f2,1,2,3 f3,3,2", "f2,3,2,2", 5125},
    {"matmul", "(2, 0) (0, 3)", "f2,0 f0,3", "f2,3", 5233},
    {"matmul", "(0, 2, 3) (3, 2)", "f0,2,3 f3,2", "f0,2,2", 5245},
    {"matmul", "(1, 3) (3, 1)", "f1,3 f3,1", "f1,1", 5257},
    {"matmul", "transposed views", "f2,3,2 f2,4,3", "f2,2,4", 5271},
    {"matmul", "sliced views", "f3,4 f4,2", "f3,2", 5375},
    {"matmul", "one operand twice", "f2,3", "f2,2", 5427},
    {"linear", "", "f2,3 f4,3 f4", "f2,4", 5447},
    {"linear", "batched, no bias", "f2,2,3 f4,3", "f2,2,4", 5507},
    {"linear", "1-D", "f3 f2,3 f2", "f2", 5587},
    {"linear", "views", "f3,2 f3,4 f4", "f2,4", 5613},
    {"linear", "empty", "f0,3 f2,3 f2", "f0,2", 5673},
    {"softmax", "dim -1", "f2,3", "f2,3", 5689},
    {"softmax", "dim 0", "f2,3", "f2,3", 5713},
    {"softmax", "dim 1", "f2,3,2", "f2,3,2", 5737},
    {"softmax", "dim 0", "f1", "f1", 5785},
    {"softmax", "dim 1", "f2,0", "f2,0", 5789},
    {"softmax", "a view", "f3,2", "f2,3", 5789},
    {"softmax", "large, equal", "f2,3", "f2,3", 5813},
    {"log_softmax", "dim -1", "f2,3", "f2,3", 5837},
    {"log_softmax", "dim 0", "f2,3", "f2,3", 5861},
    {"log_softmax", "dim 1", "f2,3,2", "f2,3,2", 5885},
    {"log_softmax", "dim 0", "f1", "f1", 5933},
    {"log_softmax", "dim 1", "f2,0", "f2,0", 5937},
    {"log_softmax", "a view", "f3,2", "f2,3", 5937},
    {"log_softmax", "large, equal", "f2,3", "f2,3", 5961},
    {"softmax", "a row of -inf", "f3,2", "f3,2", 5985},
    {"log_softmax", "a row of -inf", "f2,2 b2,2", "f2,2", 6009},
    {"layer_norm", "", "f2,4 f4 f4", "f2,4", 6029},
    {"layer_norm", "no weight", "f2,2,3", "f2,2,3", 6077},
    {"layer_norm", "a view", "f4,2 f4", "f2,4", 6125},
    {"layer_norm", "a constant row", "f2,3 f3 f3", "f2,3", 6165},
    {"scaled_dot_product_attention", "", "f3,2 f4,2 f4,3", "f3,3", 6201},
    {"scaled_dot_product_attention", "causal, batched", "f2,2,3,2 f2,2,3,2 f2,2,3,2", "f2,2,3,2", 6271},
    {"scaled_dot_product_attention", "causal, more keys, a scale", "f2,2 f4,2 f4,1", "f2,1", 6463},
    {"scaled_dot_product_attention", "a bool mask broadcasts", "f2,2,2 f2,3,2 f2,3,2 b2,3", "f2,2,2", 6499},
    {"scaled_dot_product_attention", "a query that sees nothing", "f2,2 f3,2 f3,2 b2,3", "f2,2", 6585},
    {"scaled_dot_product_attention", "a mask of numbers, a scale", "f2,2 f3,2 f3,2 c2,3", "f2,2", 6631},
    {"scaled_dot_product_attention", "views", "f2,3 f2,3 f3,2", "f3,2", 6677},
    {"embedding", "an id twice", "f4,3 i2,2", "f2,2,3", 6725},
    {"embedding", "one id", "f4,2 i", "f2", 6777},
    {"embedding", "a view", "f2,4 i3", "f3,2", 6798},
    {"index_select", "an index repeated", "f3,2,3 i4", "f4,2,3", 6829},
    {"index_select", "an index repeated", "f3,2,3 i4", "f3,2,4", 6917},
    {"index_select", "no index", "f2,3 i0", "f2,0", 7005},
    {"gather", "", "f2,3 i2,4", "f2,4", 7017},
    {"gather", "a smaller index", "f3,2 i2,1", "f2,1", 7053},
    {"gather", "a view", "f2,3 i3,1", "f3,1", 7071},
    {"dropout", "PyTorch's numbers from a seed", "f3,4", "f3,4", 7092},
    {"dropout", "PyTorch's numbers from a seed", "f2,5", "f2,5", 7140},
    {"dropout", "all of them", "f2,3", "f2,3", 7180},
    {"cross_entropy", "mean, one ignored", "f3,4 i3", "f", 7204},
    {"cross_entropy", "mean, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7233},
    {"mse_loss", "", "f2,3 f2,3", "f", 7263},
    {"cross_entropy", "sum, one ignored", "f3,4 i3", "f", 7289},
    {"cross_entropy", "sum, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7318},
    {"mse_loss", "", "f2,3 f2,3", "f", 7348},
    {"cross_entropy", "none, one ignored", "f3,4 i3", "f3", 7374},
    {"cross_entropy", "none, (..., C), class 2 ignored", "f2,2,3 i2,2", "f2,2", 7407},
    {"mse_loss", "", "f2,3 f2,3", "f2,3", 7443},
    {"cross_entropy", "one row", "f3 i", "f", 7479},
    {"cross_entropy", "all ignored", "f2,3 i2", "f", 7488},
    {"cross_entropy", "a view", "f3,2 i2", "f", 7504},
    {"cross_entropy", "large logits", "f2,3 i2", "f", 7520},
    {"custom", "", "f4 f4", "f4", 7536},
    {"custom", "a view", "f4 f8", "f4", 7560},
    {"bias_gelu", "", "f2,3 f3", "f2,3", 7592},
    {"bias_gelu", "views", "f2,3 f4", "f3,2", 7622},
    {"bias_gelu", "one operand twice", "f3", "f3", 7654},
    {"sin", "", "f2,3", "f2,3", 7666},
    {"sin", "a view", "f3,2", "f2,3", 7690},
    {"sin", "a scalar", "f", "f", 7714},
    {"sin", "empty", "f2,0", "f2,0", 7718},
    {"sin", "special points", "f2", "f2", 7718},
    {"cos", "", "f2,3", "f2,3", 7726},
    {"cos", "a view", "f3,2", "f2,3", 7750},
    {"cos", "a scalar", "f", "f", 7774},
    {"cos", "empty", "f2,0", "f2,0", 7778},
    {"cos", "special points", "f2", "f2", 7778},
    {"erf", "", "f2,3", "f2,3", 7786},
    {"erf", "a view", "f3,2", "f2,3", 7810},
    {"erf", "a scalar", "f", "f", 7834},
    {"erf", "empty", "f2,0", "f2,0", 7838},
    {"erf", "special points", "f3", "f3", 7838},
    {"expm1", "", "f2,3", "f2,3", 7850},
    {"expm1", "a view", "f3,2", "f2,3", 7874},
    {"expm1", "a scalar", "f", "f", 7898},
    {"expm1", "empty", "f2,0", "f2,0", 7902},
    {"expm1", "special points", "f3", "f3", 7902},
    {"softplus", "", "f2,3", "f2,3", 7914},
    {"softplus", "a view", "f3,2", "f2,3", 7938},
    {"softplus", "a scalar", "f", "f", 7962},
    {"softplus", "empty", "f2,0", "f2,0", 7966},
    {"softplus", "special points", "f3", "f3", 7966},
    {"log1p", "", "f2,3", "f2,3", 7978},
    {"log1p", "special points", "f3", "f3", 8002},
    {"rsqrt", "", "f2,3", "f2,3", 8014},
    {"rsqrt", "special points", "f2", "f2", 8038},
    {"leaky_relu", "", "f2,3", "f2,3", 8046},
    {"leaky_relu", "special points", "f3", "f3", 8070},
    {"elu", "", "f2,3", "f2,3", 8082},
    {"elu", "special points", "f4", "f4", 8106},
    {"pow_tensor", "", "f2,3 f2,3", "f2,3", 8122},
    {"pow_tensor", "both broadcast", "f3,1 f2", "f3,2", 8158},
    {"pow_tensor", "whole exponents, zeros", "f4 f4", "f4", 8180},
    {"pow_tensor", "zeros", "f3 f3", "f3", 8204},
    {"clamp_tensor", "bounds broadcast", "f2,3 f2,1 f3", "f2,3", 8222},
    {"clamp_tensor", "low > high", "f3 f3 f3", "f3", 8256},
    {"eq", "", "f2,2 f2", "b2,2", 8280},
    {"eq", "NaN and Inf", "f3 f3", "b3", 8290},
    {"ne", "", "f2,2 f2", "b2,2", 8299},
    {"ne", "NaN and Inf", "f3 f3", "b3", 8309},
    {"lt", "", "f2,2 f2", "b2,2", 8318},
    {"lt", "NaN and Inf", "f3 f3", "b3", 8328},
    {"le", "", "f2,2 f2", "b2,2", 8337},
    {"le", "NaN and Inf", "f3 f3", "b3", 8347},
    {"gt", "", "f2,2 f2", "b2,2", 8356},
    {"gt", "NaN and Inf", "f3 f3", "b3", 8366},
    {"ge", "", "f2,2 f2", "b2,2", 8375},
    {"ge", "NaN and Inf", "f3 f3", "b3", 8385},
    {"isnan", "", "f3", "b3", 8394},
    {"logical_and", "", "b2,1 b2", "b2,2", 8400},
    {"logical_or", "", "b2,1 b2", "b2,2", 8408},
    {"any", "bools", "b3,2", "b3,1", 8416},
    {"any", "numbers", "f3,2", "b3,1", 8425},
    {"any", "ints", "i3", "b", 8434},
    {"any", "over nothing", "f2,0", "b2", 8438},
    {"all", "bools", "b3,2", "b3,1", 8440},
    {"all", "numbers", "f3,2", "b3,1", 8449},
    {"all", "ints", "i3", "b", 8458},
    {"all", "over nothing", "f2,0", "b2", 8462},
    {"prod", "", "f2,3", "f", 8464},
    {"prod", "outer dims, keepdim", "f2,3,2", "f1,3,1", 8478},
    {"prod", "a view", "f2,3,2", "f2,2", 8508},
    {"prod", "zeros", "f2,3", "f2", 8540},
    {"prod", "over nothing", "f2,0", "f2", 8556},
    {"std", "", "f2,4", "f2", 8560},
    {"std", "", "f2,4", "f2", 8580},
    {"std", "outer dims, keepdim", "f2,3,2", "f1,3,1", 8600},
    {"std", "a constant row", "f2,2", "f2", 8630},
    {"norm", "p = 2", "f2,3", "f2", 8642},
    {"norm", "p = 2, a view", "f2,3", "f1,1", 8658},
    {"norm", "p = 1", "f2,3", "f2", 8672},
    {"norm", "p = 1, a view", "f2,3", "f1,1", 8688},
    {"norm", "p = 3", "f2,3", "f2", 8702},
    {"norm", "p = 3, a view", "f2,3", "f1,1", 8718},
    {"norm", "p = 0.5", "f2,3", "f2", 8732},
    {"norm", "p = 0.5, a view", "f2,3", "f1,1", 8748},
    {"norm", "p = inf", "f2,3", "f2", 8762},
    {"norm", "p = inf, a view", "f2,3", "f1,1", 8778},
    {"norm", "zeros", "f2,2", "f2", 8792},
    {"norm", "zeros", "f2,2", "f2", 8804},
    {"norm", "a tie", "f1,3", "f1", 8816},
    {"cumsum", "dim 0", "f3,2", "f3,2", 8824},
    {"cumsum", "dim -1", "f2,3", "f2,3", 8848},
    {"cumsum", "dim 1", "f2,3,2", "f2,3,2", 8872},
    {"cumsum", "a view", "f3,2", "f2,3", 8920},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 8944},
    {"argsort", "a view", "f2,5", "i5,2", 8960},
    {"sort", "", "f5,2", "f5,2", 8980},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 9020},
    {"argsort", "a view", "f2,5", "i5,2", 9036},
    {"sort", "", "f5,2", "f5,2", 9056},
    {"topk", "", "f2,4", "f2,2", 9096},
    {"topk", "", "f2,4", "f2,2", 9120},
    {"max_dim", "", "f2,4", "f2", 9144},
    {"max_dim", "", "f3,2", "f1,2", 9164},
    {"min_dim", "", "f2,4", "f2", 9180},
    {"min_dim", "", "f3,2", "f1,2", 9200},
    {"argmin", "ties: the first", "f2,3", "i3", 9216},
    {"argmin", "ties: the first", "f2,3", "i2,1", 9225},
    {"argmin", "ties: the first", "f2,3", "i2", 9233},
    {"index_add", "an index repeated", "f3,2 i4 f4,2", "f3,2", 9241},
    {"index_add", "an index repeated", "f3,3 i4 f3,4", "f3,3", 9285},
    {"index_add", "views", "f3,2 i2 f2,2", "f2,3", 9349},
    {"scatter_add", "an index repeated", "f3,3 i2,3 f2,3", "f3,3", 9383},
    {"scatter_add", "an index repeated", "f2,3 i2,3 f2,3", "f2,3", 9437},
    {"scatter_add", "fewer rows, more columns", "f3,2 i1,3 f1,3", "f3,2", 9479},
};

static const double golden_numbers[] = {
    -1.1875, -0.875, 1.875, 1.3125, -1.75, 1.125, -1, -1.75, 1.5625, -1.5625, -0.9375, 1.875, -1.4375, 0.125, 0.375,
    -0.4375, 1.3125, 0.5625, -2.1875, -2.625, 3.4375, -0.25, -2.6875, 3, -1.4375, 0.125, 0.375, -0.4375, 1.3125,
    0.5625, -1.4375, 0.125, 0.375, -0.4375, 1.3125, 0.5625, 1.75, -1.6875, 1.875, -1.3125, -1.4375, 0.0625, 1,
    -0.0625, -1.8125, 0.875, 2, 0.3125, 0.375, -1.1875, -0.125, -0.625, 0.875, 0.5625, -0.3125, 0.9375, -1.25, 0.5625,
    -1.4375, 1.6875, 1, 1.4375, -0.375, -0.5625, 0.6875, -1.375, 2, 0.4375, -0.5625, 1.4375, 2.75, -0.6875, 1.6875,
    -1.75, -0.0625, -3.5, 2.625, -0.8125, 2.875, -0.3125, 1.8125, -1.375, 0.0625, -3.125, 2.75, -0.4375, -0.4375,
    1.0625, -1.5, 0, -3.25, -1.75, -0.5625, 0.9375, 3.125, -0.9375, -2, 4.625, 1.75, -0.0625, 2, -2.1875, 1.9375,
    4.75, 0.125, -1.25, 0.25, -0.875, -1.125, -1.5, 1.375, 1.3125, 0.25, 0.0625, -1.0625, 0.9375, 1.8125, 1.5, 0.125,
    1.625, 0.5, 0.25, -0.125, 1.3125, 0.25, 0.0625, -1.0625, 0.9375, 1.8125, 3.3125, 1.4375, -1.125, 0.125, 0, 0, 0,
    -1.0625, -0.25, -1.3125, 0.5625, -0.3125, 1.8125, -1.6875, -1.8125, -1, 1.9375, 1.6875, -0.5, -1.125, -0.3125,
    1.375, -0.5625, -1.875, 2, -1.125, 1.25, -2, -1.25, -1.0625, -1.3125, -2.75, -0.4375, 1.4375, -1.4375, 0.0625,
    -0.0625, -1.125, -2, -1.0625, 1.25, -1.25, -1.3125, -1.125, 0, 1.25, 0, -2, 0, -1.25, 0, -1.0625, 0, -1.3125, 0,
    -1.1875, -1.5, -0.4375, -0.375, 0.875, -0.1875, -2.375, -3, -0.875, -0.75, 1.75, -0.375, -1.5625, 0.8125, 0.25,
    0.1875, -1.3125, -0.6875, -2, 0.8125, 0.4375, 0.375, 1.6875, 1.0625, 0.9375, 1, 0.6875, -0.0625, 0.0625, 0.4375,
    0.4375, 0, -0.1875, -0.1875, -3, -1.75, 0.9375, 1, 0.6875, -0.0625, 0.0625, 0.4375, -0.9375, -1, -0.6875, 0.0625,
    -0.0625, -0.4375, -1, -1.25, -0.1875, -1.5, 0.75, -0.3125, 1.6875, 0.0625, 1.1875, 1.125, 1.875, -1.9375, -0.0625,
    -1.375, -1.125, 1.0625, 1, -0.625, 0.6875, -0.75, -0.75, -1.6875, -1.3125, -1.0625, -0.1875, -1.4375, 0.0625,
    0.4375, 1.875, -0.8125, 1.0625, 0.0625, 0.375, 0.125, -2.6875, -2.9375, -1.0625, -1.3125, -2.1875, -2.4375,
    -2.125, -2.375, -1.875, -3.1875, -0.25, -1.5625, -1.375, -2.6875, -1.3125, -2.625, -0.9375, -2, 0.6875, -0.375,
    -0.4375, -1.5, -0.375, -1.4375, 1.6875, -2.875, -1.5625, -4.9375, 3.375, -0.1875, -0.375, 2.8125, 1.3125, 0.75,
    0.1875, 1.3125, 0.625, 1.9375, -1.6875, -1.5625, 0.375, 1.9375, 0.0625, -1.875, 0.9375, 1.9375, 1.3125, -0.1875,
    0.9375, 0.25, 1.5625, -2.0625, -1.9375, 1.9375, 0.0625, -1.875, 0.9375, 1.9375, 1.3125, -4.3125, 0.375, -0.875,
    -0.125, 0, 0, 0, -0.3125, -1.9375, -0.625, -1, -1.5, -1.625, 0.3125, 0.5625, 1.5, 1.0625, 0.75, -1.5, 1.8125,
    -0.75, 0.5, 0.6875, 1.5625, 0.75, -1.1875, -0.4375, -0.0625, -1.0625, -0.5625, -0.625, -0.625, -2.5, -2.6875,
    -3.3125, -1.125, -3.1875, -1.1875, -0.0625, -0.5625, -0.4375, -1.0625, -0.625, 1.1875, 0, 0.4375, 0, 0.0625, 0,
    1.0625, 0, 0.5625, 0, 0.625, 0, -0.1875, -0.3125, -0.6875, 1.5, 1.5625, -0.75, 0, 0, 0, 0, 0, 0, 0.875, 1.5,
    1.3125, 0.25, -1.25, 1.875, 0.6875, -0.8125, 1.0625, 1.75, -0.5625, 1.875, -1.0625, -1.125, -1.75, -1.3125,
    1.9375, 0.125, 0.6015625, -1.21875, 1.39453125, 0.4375, 0.703125, 3.515625, -0.73046875, 0.9140625, -1.859375,
    -2.296875, -1.08984375, 0.234375, -0.9296875, -1.6875, -2.296875, -0.328125, -2.421875, 0.234375, -0.25, 1.125,
    1.9375, -0.75, 0.9375, 0.0625, -0.25, 0.625, 0.25, 0.0625, 1.1875, -0.75, 0.5, 0.8125, -1.75, -1.625, 1.1875,
    -1.6875, 1.8125, -2, -0.75, -1.4375, 0.3125, -2, -1.9375, -0.875, 2, 1.8125, 0.625, -1.9375, 0.625, -0.1875,
    -1.625, 1.25, 0.0625, -0.28125, -0.15625, 0.703125, -0.0625, 0.28125, -0.015625, 0.0703125, -0.484375, 0.1875,
    1.2109375, -0.46875, 0.484375, -0.1875, 0.12109375, -0.046875, -0.234375, -0.015625, 0.5859375, 0.0390625,
    0.234375, 0.015625, 0.05859375, 0.00390625, -0.34765625, 0.18359375, -0.96484375, -0.953125, -0.0546875,
    -1.6328125, 5.859375, 0.87890625, 1.2890625, -6.73828125, -1.9375, 0.9375, 0.5625, 1.3125, -1.8125, -0.875,
    0.4375, 0.125, -1.5, 1.375, -1.5625, 0.5, -0.75, -0.84765625, 0.41015625, 0.24609375, 0.57421875, -0.79296875,
    -0.3828125, 0.0546875, -0.65625, 0.6015625, -0.68359375, 0.21875, -0.328125, -3.17578125, 2, 1.25, 1.125, 0, 0, 0,
    -0.75, 1.875, 1.6875, -0.9375, 0.3125, 0.5625, 0.25, 0.75, -1.125, -1.1875, -0.1875, 0.25, -2, -0.9375, -0.5,
    1.6875, -1.3125, -1.5, -0.875, -0.75, -0.3125, 2, -1.75, 1.0625, -0.1875, 1.0546875, -0.3515625, -0.625, -0.84375,
    -0.73828125, -0.21875, 0.05859375, 0.875, 0.84375, -4, -1.39453125, 0.65625, 0, 0.703125, 0, -0.5859375, 0, 0.625,
    0, -2.953125, 0, 0.59765625, 0, -1.5, -0.9375, 0.375, 0.1875, 0.0625, -0.125, 2.25, 0.87890625, 0.140625, -0.5625,
    -0.1171875, -0.09375, 1.125, 0.4375, 3, 1.25, 1.8125, 0.375, 2.5, 2.4375, 0.5625, 0.25, 1.1875, 2.0625, 0.25,
    1.125, -1.75, 0.875, 0.75, 1.1875, 0.45, 0.1794871794871795, 5.333333333333333, 5, 1.5263157894736843,
    0.18181818181818182, 0.1, 0.46153846153846156, -3.111111111111111, 3.5, 0.631578947368421, 0.5757575757575758,
    -0.045, -0.08284023668639053, 16.59259259259259, -17.5, -0.9639889196675901, -0.1046831955922865, 0.9375, 0.875,
    2.75, 0.5625, 2.8125, 0.625, 2.3125, 2.4375, 0.5625, 0.4375, 0.25, 0.5625, -1.75, 1.5, -1.1875, 1.25, 0.0625,
    -0.375, 1.9375, -1.5625, -0.1875, 1.875, 0.5625, 0.8125, 1.875, 0.6875, 0.875, -1.9375, 0.125, 1.3125, 0.9375,
    0.25, 0.5, -0.4375, 0.40540540540540543, 0.3783783783783784, 0.38461538461538464, 0.358974358974359,
    1.6666666666666667, 1.5555555555555556, 2.142857142857143, 2, 1.1891891891891893, 0.24324324324324326,
    1.1282051282051282, 0.23076923076923078, 4.888888888888889, 1, 6.285714285714286, 1.2857142857142858,
    1.2162162162162162, 0.2702702702702703, 1.1538461538461537, 0.2564102564102564, 5, 1.1111111111111112,
    6.428571428571429, 1.4285714285714286, -2.578094578094578, 2.223707223707224, 6.046629046629047,
    3.1094281094281095, 3.2391842391842394, -0.854931854931855, -1.2016070124178233, -0.23274161735700194,
    -15.098765432098766, -33.46938775510204, 0.4375, 1.25, 2.875, 2.75, 0.8125, 2.25, 1.5625, -0.5, -0.4375, -0.4375,
    -1.8125, 0.6875, 0.0625, 0.28, 0.8, 1.84, 1.76, 0.52, 1.44, -0.32, -0.28, -0.28, -1.16, 0.44, 0.04,
    2.5840000000000005, 2.125, 2.4375, 3, 0, 0, 0, 0.8125, 2.6875, 2.6875, 1.4375, 2.9375, 0.5625, 0.8125, 2.5, 0.25,
    3, 0.4375, 1.1875, 0.6875, 2.375, 2.75, 1.5625, 2.25, 2.1875, 0.625, -0.625, -0.25, -1.125, 0.9375, 1.6875, 1,
    5.75, 6.142857142857143, 4.2727272727272725, 0.9772727272727273, 0.25, 0.7692307692307693, -0.5714285714285714,
    0.3409090909090909, -2.5, -1.6363636363636365, 0.75, -0.7692307692307693, 0, 14.375, 0, 3.5102040816326534, 0,
    6.991735537190082, 0, -0.3331611570247934, 0, -0.1875, 0, 1.625, 1.875, 1.5625, 1.6875, 0.1875, -1.375, 1, 1, 1,
    0, 0, 0, 1, -1, 0, 3, 0, 0, 2, -4, 0.4375, 0.1875, -1.875, -1.25, INFINITY, -INFINITY, 0, -0.75, INFINITY,
    INFINITY, -0.9375, 0.3125, -INFINITY, INFINITY, 0, 0.234375, -1.875, 0.375, -0.125, 1, 0.8125, 0.375, -0.8125,
    -1.0625, -1.875, -0.25, -0.1875, 1.125, -1.875, 0.875, 1.3125, 1.3125, -1.5625, 0.8125, -0.8125, 0.375, -0.125, 1,
    0.8125, 1.125, 0, 0.875, 1.3125, 1.3125, -1.5625, 0, -1.875, 0, 0, 0, 0, 0.8125, -0.5625, 1.25, 1.0625, -1.5,
    -1.125, -1.25, -1.6875, 1.8125, 1.8125, -1.3125, 0.75, -1.9375, -1.75, 0.5625, -0.125, -1.1875, 0.0625, 1.9375,
    0.4375, -0.0625, -0.6875, -1, -0.625, 1.75, 1.125, -1.9375, 0.3125, 0.1875, -1.4375, 0.1875, -0.625, 0.375, -1.5,
    -1, -0.5625, 1.25, 1.8125, 1.8125, 1.8125, 1.8125, -0.5625, 1.25, 1.0625, -1.5, 1.8125, 1.8125, 1.8125, 1.8125,
    1.0625, -1.3125, -1.125, -1.25, 1.8125, 1.8125, 1.8125, 1.8125, -1.125, -1.25, 0.8125, 0, 1.5625, -0.0625,
    -1.1875, -0.8125, 0, -4.125, -0.4375, -1.9375, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -1.5, 1.5, 1.4375,
    -0.5, -1.125, -0.6875, 0.4375, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, 1.5, 1.4375, -0.5, -1.125, -0.6875,
    0.4375, 0, -2, 1.75, 0.6875, 0, 0, 0, 0.375, -0.1875, 1.5625, -1, -0.375, -1.5625, -1.125, 1.8125, -0.6875,
    0.8125, 0.3125, -0.125, 0.0625, -1.25, 1.1875, -1.1875, 2, -0.5, -1.6875, -1.4375, -0.25, 1.8125, 1.0625, 1.375,
    0.375, -0.6875, 0.3125, 0.0625, 1.5625, 2, -1.6875, 0, 1.0625, 0, 0, 0, 0, 0, -1.4375, 0, -0.25, 0, 1.8125, 0, 0,
    0, 1.375, 0, -2, -0.75, 1.0625, -0.375, 1.3125, -1.5625, -2, -0.75, 1.0625, -0.375, 1.3125, -1.5625, 1, 2, -1, 0,
    1, 1, 3, 0, -0.4375, -0.1875, 1.75, 0.0625, 1, 2, 3, 0, -0.21875, -0.1875, 0, 0.03125, -0.21875, 0, 1.75, 0.03125,
    -1.1875, 0.0625, -0.3125, -0.375, -1.1875, 1.375, -1.9375, 0.8125, 1.4375, 0.1875, -0.375, 0.5, -1.4375, -0.0625,
    -0.9375, 0.875, 1, -1.375, -1.9375, 0.0625, -0.3125, -0.375, -1.1875, 0.5, 0, -0.0625, -0.9375, 0.875, 1, 0,
    -1.4375, 0, 0, 0, 0, -1.375, 1.4375, 1.4375, 0.6875, 1.25, -1.5625, -0.6875, 1.3125, -1.5, 1.375, 1.3125, 1.25,
    0.25, -1.125, -0.8125, 1.875, 0.5625, -1, 0.375, 0.875, -0.3125, -2, -0.125, 0.5625, -1.1875, 1.875, 0.9375, 1.25,
    -1.25, 1.9375, 1.0625, 1.4375, 0.75, -0.8125, -1.5625, 1.3125, 1.3125, -1.5, -1.5, 1.375, 1.375, 1.3125, 1.3125,
    0.6875, 1.25, -1.5, -1.5, 0.6875, 1.25, 0.6875, 1.25, -1.5625, -0.6875, -1.5625, -1.5, -1.5625, -0.6875, -1.5625,
    -0.6875, 0, 0, 3.3125, -0.5625, 3.8125, -2.0625, 1.5, -3, 2.4375, -0.625, 0.125, 0.875, -1.875, 2, -1.25, 0.9375,
    1.875, 1.5, -0.8125, -0.3125, 1.625, -0.625, 0.6875, 0.125, 0.875, -1.875, 1.875, -1.25, 0.9375, 1.5, -0.8125,
    -0.3125, 0, -0.625, 0.6875, 1.625, -1.9375, 0.6875, 0.5625, 0, 0, 0, 1.5625, -0.0625, 1.625, 0.9375, -0.9375,
    -1.8125, 1.1875, -0.125, -1.5625, 1.625, 0.5, 1.875, -1.6875, -1.3125, -0.4375, -1.4375, 1.1875, -0.3125, 1.1875,
    -0.25, 1.8125, -0.8125, 0.5, 2, 1.1875, -1.5625, -0.0625, -1.6875, -0.4375, -1.8125, 0, 1.8125, 0, 0, 0, 2,
    1.1875, 0, -0.25, 0, 0, 0, -0.8125, 0, 0.5, 0, 0, 0, -0.375, -0.375, -0.8125, 1.5625, 1.3125, 0.75, -0.375,
    -0.375, -0.8125, 1.5625, 1.3125, 0.75, 1, 2, -1, 0, 1, 1, 3, 0, 1, -1.3125, 0.3125, 1.625, 1, 1, -1, 0, 0.5, 0,
    0.3125, 0.8125, 0.5, -1.3125, 0, 0.8125, -0.75, -1.3125, 1.125, 0.8125, -0.3125, -0.625, 0.5625, -0.375, -0.25,
    0.125, 1.25, 0.4375, 0.75, 1.3125, -1.125, -0.8125, 0.3125, 0.625, -0.5625, 0.375, 0.25, -0.125, -1.25, -0.4375,
    -0.5, 0.9375, 0.0625, 0.5, 0.1875, -0.5625, 0.75, 0.875, -1.5625, 1.375, 1.0625, -0.4375, 0.5, -0.0625, -0.1875,
    -0.9375, -0.5, 0.5625, -0.75, -1.375, -0.875, -1.0625, 1.5625, 0.4375, 1.5625, 1.375, -1.5625, -1.375, 0,
    INFINITY, -0.9375, -1.6875, 0, -INFINITY, 0.9375, 1.6875, 0.3125, 1.3125, -1.6875, 1.6875, 1.3125, 0.375, -1.4375,
    0.8125, -0.25, 1.8125, -1.75, 0.625, 1.3668379411737963, 3.715450737941104, 0.18498139990730428,
    5.405948925141167, 3.715450737941104, 1.4549914146182013, -1.9648295404373322, 3.018803724577147,
    -0.04624534997682607, 9.798282426818364, -6.502038791396932, 0.9093696341363757, 0.375, 0.3125, 0.375, -1, 0.4375,
    -0.25, -1.9375, 0.75, -1.875, 0.1875, 1.8125, 1.5625, 1.4549914146182013, 1.4549914146182013, 1.5488302986341331,
    1.3668379411737963, 0.36787944117144233, 0.7788007830714049, -2.819045865822765, 0.2562821139700868,
    1.091243560963651, 0.6667814871232393, -2.9040568099389996, 1.2168762235490702, -0.1875, 1.8125,
    0.8290291181804004, 1.5026152767019756, -INFINITY, 0, -800, -1.8125, 1.125, 1.0625, 0, 1, 0, 0, 1.125, 0, 0.875,
    3, 0.6875, 1.3125, 0.3125, 1.8125, 0.875, -0.25, -1.875, 0.625, 1.5625, 1, -0.13353139262452263,
    1.0986122886681098, -0.3746934494414107, 0.27193371548364176, -1.1631508098056809, 0.5947071077466928, 1,
    -0.08333333333333333, -2.727272727272727, 0.47619047619047616, 5, 0.5517241379310345, 0, 1, INFINITY, 1.0625,
    -1.625, 2, -INFINITY, 0, INFINITY, INFINITY, -1.625, 0, 2.9375, 0.8125, 2.875, 2.625, 1, 2.9375, -0.8125, -1.4375,
    -0.875, 0.5, -0.6875, -0.125, 1.713913650100261, 0.9013878188659973, 1.695582495781317, 1.620185174601965, 1,
    1.713913650100261, -0.23703061118407867, -0.7973815320737669, -0.25802342327107, 0.1543033499620919, -0.34375,
    -0.03646624787447364, 0, 1, INFINITY, -0.75, 0.9375, -1.8125, 0, 1, INFINITY, -INFINITY, 0.46875, 0, 0.9375, -2,
    0.375, 0.625, 0.0625, 1.6875, 0.375, -1.4375, -0.0625, 1.375, 1.5, 1.4375, 0.87890625, 4, 0.140625, 0.390625,
    0.00390625, 2.84765625, 0.703125, 5.75, -0.046875, 1.71875, 0.1875, 4.8515625, 0.4375, -0.6875, -1.5625, 1.875,
    -0.9375, 0.625, -2, 0.625, 1.9375, 1.6875, 1.0625, 1.1875, 0.19140625, 2.44140625, 0.87890625, 0.47265625,
    3.515625, 0.390625, -1.75, -2.3203125, -1.953125, 3.984375, -3.6328125, 1.484375, 0.6875, -0.1875, 0.47265625,
    -0.2578125, 0, 0.3125, 0, 0, -0.125, 1.0625, 1.3125, 0.5, 1.625, -0.6875, -1.4375, -1.75, 1.25, -1.8125, -0.5625,
    -1.0625, 0.125, 1.0625, 1.3125, 0.5, 1.625, 0.6875, 1.4375, -1.75, 1.25, -1.8125, -0.5625, 1.0625, -0.4375, 0.75,
    -0.9375, -0.0625, -0.1875, 1.6875, 0.6875, -1.4375, 0.6875, 0.25, -0.375, 0.1875, 0.4375, 0.9375, 0.1875, 0.75,
    0.0625, 1.6875, -0.6875, 0.25, 1.4375, 0.375, -0.6875, 0.1875, -1.8125, -1.5625, 1.8125, 1.5625, 0, -1, 0.8125,
    -0.25, 0, 1, 0, 0.25, -1.9375, -0.6875, 1.1875, 0.5, -1.375, -0.4375, 0.9375, -2, 0.4375, -1, 1.75, 1.5,
    -0.9593352933146825, -0.5963735554792423, 0.8298019099859595, 0.4621171572600098, -0.8798266996519848,
    -0.41157005567402244, 0.07469605781328012, -1.288677164650094, 0.13625009570534846, -0.7864477329659274,
    0.39533371251411825, 1.245915133908723, 0.9375, 0.3125, 0.125, -0.4375, -1.875, 0.9375, -1.9375, -2, -1.0625,
    -0.625, -1.4375, -0.9375, 0.7340715196043415, 0.12435300177159621, -0.9540452601799487, 0.3027097293321085,
    -0.41157005567402244, 0.7340715196043415, -0.893456820454935, -0.567729262354801, -1.9690726619007868,
    -1.194002003329193, -0.09540999412368481, -0.4323178163491621, 1.125, 0.4375, 0.809301070201781,
    0.15095140277448524, 0, 30, -30, -1.4375, 0.0625, 1.0625, 0, 1, -1, -1.4375, 0, 0, 0.75, 1, -0.0625, -1.5625,
    1.5625, -1.5625, -0.4375, 0.5, -1.3125, -1.875, -1.8125, 0.0625, 0.679178699175393, 0.7310585786300049,
    0.4843800842769844, 0.1732882059293266, 0.8267117940706734, 0.1732882059293266, -0.09532905977079363,
    0.09830596662074093, -0.32780477393055774, -0.26861138177835353, -0.2596576690524084, 0.008953712725945117, 1,
    -0.8125, -1.75, 0.625, 0.8125, -1.5, -1, -1.875, 1.25, 0.125, 0.375, 1.25, 0.7310585786300049,
    0.14804719803168948, 0.6926419831347361, 0.30735801686526387, 0.6513548646660542, 0.18242552380635635,
    -0.19661193324148185, 0.026611133291739506, -0.23649229722497847, 0.08515938935322016, 0.266111332917395,
    0.18643306508791604, -0.1875, 1.25, 0.45326184801538616, 0.3097694314363289, 0, 40, -40, -800, -1, -1.3125,
    0.4375, -1.375, 0.5, 1, 4.248354255291589e-18, 0, -0.25, 0, 1.8586549866900703e-18, 0, 2, 1.875, 0.125, -1.125,
    1.5625, -1.1875, -1, -0.4375, 1.5625, -1.8125, -1.875, 0.375, 2, 1.875, 0.125, 0, 1.5625, 0, -1, -0.4375, 1.5625,
    0, -1.875, 0, -0.5, 1.3125, 0.0625, 0.75, -1.6875, 0.375, 0.4375, -1.6875, 1.875, -0.4375, 1.5, 0.3125, 0, 0.0625,
    0, 1.3125, 0.75, 0.375, 0, -0.4375, -1.6875, 1.5, 0, 0.3125, -0.125, -1.5625, 0, 0, 0, -0.5, 0.5, 0.25, 0.375,
    0.4375, 0, 0, 0.5, 0, 0, 0.4375, 1.375, -0.375, -1.75, 1.5625, -0.375, -0.25, 0.375, -1.8125, -0.25, -1.3125,
    -1.5, 0.625, 1.097506819391979, -0.15275002501722384, -0.25908259655545657, 1.2917371782354272,
    -0.15275002501722384, -0.10945587477855048, 0.382379312030196, -0.5742064562628826, 0.018169736511239275,
    -1.378852928537833, -0.47520534311410967, 0.23518123651862644, 0.1875, 1, -1.4375, 0.4375, 1.8125, 2, -0.625,
    -1.625, -1.6875, -0.25, -1.1875, 0.875, 0.1025134034971151, -0.2759033805179029, 1.558140547799224,
    0.7310585786300049, 0.2658526368018901, 1.7615941559557646, -0.3707522291875395, -0.23191762796787171,
    0.05040049536868565, -0.845460753893684, -1.8196774050934412, 0.9544362176867837, -0.4375, 1.1875,
    -0.17164736319810991, 0.34203924610631614, 0, 40, -40, -0.8125, -0.0625, -0.625, 0, 40, -1.6993417021166355e-16,
    -0.40625, -0.0625, 1.0355363497273248e-16, -1.5625, -0.0625, -0.8125, 0.25, -1.9375, -1.125, -1.3125, -0.875,
    1.9375, 1.75, -0.6875, -0.375, -0.09232050458229304, -0.029692645685672047, -0.16920506954658848,
    0.14967658142073093, -0.05103787046021152, -0.14658133177890995, 0.16382159995074896, -0.39392245368684453,
    -0.0479759373373555, 1.216903371046363, 0.06322415555357316, 0.04052501601031991, -0.4375, 1.1875, 1.125, 1.875,
    0.9375, 1.125, 1, 1.375, 2, 1.375, 0.9375, -0.4375, -0.14475754476788466, 0.97841866822109, 0.7741399576119916,
    1.0479506664018081, 1.8180068216901348, 0.97841866822109, 0.17226649933568441, 1.5352527251670238,
    1.523591725371173, 1.0299167863216743, 2.133512152514043, -0.48477918534537323, 1.625, 0.3125, 1.5403679209502683,
    0.3503260644678066, 0, 10, -10, -0.1875, 1.875, 0.6875, 0, 10, 0, -0.09375, 1.875, -5.290036555860663e-22, 1.4375,
    -0.75, 1.5625, -1.4375, -1.0625, 0.6875, 1.9375, -0.1875, 0.75, 0.25, 1.9375, -1.8125, 1.3290444073489247,
    -0.17003944483437966, 1.4699806126108914, -0.10845559265107522, -0.15317884911818075, 0.5184027048205461,
    2.1872828161983895, -0.00019907697423480336, 0.8438807582955289, -0.0322300407997922, -0.18737531768910112,
    -1.7588711138174595, 1.375, 0.1875, -0.6875, 0.125, -1.3125, 1.3125, -1.8125, 1.8125, 1.25, 0.125, -1.875, 2,
    1.25848855283428, -0.16909729517945388, -0.12449341316899237, 0.10769316959978953, 0.06871719862422339,
    1.1880065868310077, -2.045575994383766, 0.08098195220174642, 0.05362888618254036, -1.123528886555234,
    -0.15815084716693328, 2.253041355467093, 0.4375, 1.25, 0.29273192310085266, 1.03455480323393, 0, 10, -10, 0.875,
    1.625, 2, 0, 10, 0, 0.4375, 1.625, 0, 1.875, 0.125, 1.5625, -0.6875, -0.25, -1.375, 0.0625, 0.25, 0.25, -0.8125,
    3.515625, 0.015625, 2.44140625, 0.47265625, 0.0625, -5.15625, 0.015625, 0.78125, -0.34375, 0.40625, -1.875,
    1.5625, -1.125, 1, 1.3125, 1.4375, -1.625, 0.8125, -0.5, -0.125, -6.591796875, 3.814697265625, -1.423828125, 1,
    2.260986328125, 15.1611328125, -11.90185546875, 3.0849609375, -1.5, -0.64599609375, -0.125, 1.3125, 1.9375, 0.25,
    2, 1.6875, 0.1875, -0.5625, -1.5625, 0.25, -0.125, 1.3125, 1.9375, 0.25, 2, 1.6875, 0.1875, -0.5625, -1.5625,
    0.25, -2, 0.6875, 1.1875, 0.125, 1, -1, -0.9375, -1.375, -0.75, -1.375, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, -0.6875,
    -0.4375, -2, -1.0625, -1.1875, 0.3125, -0.3125, 0.125, 0.5, -1.5, -1.4545454545454546, -2.2857142857142856, -0.5,
    -0.9411764705882353, -0.8421052631578947, -0.6611570247933884, 1.6326530612244896, -0.03125, -0.4429065743944637,
    1.0637119113573408, 1.1875, -1.125, -1.8125, -1.3125, -1.5, 1.1875, 0.875, 0.5, 1.875, -1.875, 0.7091412742382271,
    0.7901234567901234, 0.30439952437574314, 0.5804988662131519, 0.4444444444444444, -1.4182825484764543,
    1.2290809327846364, 0.1679445651728238, 1.6585681891804342, -1.1111111111111112, 0.5, 1.5, 2.125, 2.625, 2.0625,
    -0.75, 1.1875, 1.5625, 0.375, -0.0625, 0.7071067811865475, 1.224744871391589, 1.4577379737113252,
    1.620185174601965, 1.4361406616345072, -0.5303300858899106, 0.4847948449258374, 0.53593307857034,
    0.11572751247156893, -0.02175970699446223, 2.0625, 1, 3, 2.5625, 0.5, 0.625, -0.5, 1.1875, 1.3125, 0.25,
    6.109207736406165, 1, 15.588457268119896, 10.511378753051385, 0.1767766952966369, 4.62818767909558, -1.25,
    15.426077504910314, 13.45969230573653, 0.2209708691207961, 1, 0.6875, 1.6875, 2.625, 0.375, -1.0625, 1.3125,
    1.8125, 0.9375, 1.375, 1, 1.2060453783110545, 0.769800358919501, 0.6172133998483676, 1.6329931618554523, 0.53125,
    -1.1512251338423702, -0.41341130386417646, -0.11021667854435135, -2.9938207967349957, 0, 1, -1, -0.5625, 1.875,
    -1.5625, 1, 1, 1, 0, 0, 0, 0, 1, -1, 0.0625, -0.5, 1.375, 0, 1, -1, 0.0625, -0.5, 1.375, 0, 1, -1, 1.25, -1.625,
    1.125, 0, 1, 1, 0, -3.25, -2.25, 0, 1, -1, -1.8125, -0.8125, 0.8125, 0, 1, -1, 0, -2.4375, 2.4375, -2, -0.9375, 0,
    0.4375, 1, -0.75, -0.875, -0.5, 0.5625, -0.3125, -1, -0.9375, 0, 0.4375, 0.5, 0, -0.875, -0.5, 0.5625, 0, -1.625,
    -0.8125, 1.375, -1.125, -1.4375, 0.25, -1.4375, 1.9375, 1.25, -0.3125, -0.625, 1.4375, 0.3, 0.3, 1.375, 0.3, 0.3,
    0.3, 0, 0, 1.25, 0, 0, 0, 0.8125, 0.9375, 1.875, 1.5, 2.375, 1.1875, -2, 0.875, 0.4375, 0.625, -0.375, -0.6875,
    2.3125, 2.4375, 3.375, 3, 3.875, 2.6875, -2, 0.875, 0.4375, 0.625, -0.375, -0.6875, 2.4375, 1.1875, 1.75, 2.9375,
    3, 2.6875, -1.4375, 1.0625, -0.25, -0.875, 1.3125, -1.8125, 3.9375, 4.4375, 2.6875, 4.5, 3.25, 4.1875, -1.4375,
    -0.25, 1.3125, 1.0625, -0.875, -1.8125, 1.25, 1.625, 1.6875, 1.8125, 0.75, 1.875, 1.875, -0.375, 1.25, -0.4375,
    -1.5, 2, -0.25, 0.125, 0.1875, 0.3125, -0.75, 0.375, 1.875, -0.375, 1.25, -0.4375, -1.5, 2, 0.5625, 1.125, 1.5,
    1.5, 0.5, 2, -1.1875, -0.5, 2, 1.4375, 1.875, -0.5625, -0.9375, 0, -0.375, -1, 0, 0.5, -1.1875, 2, 1.875, -0.5,
    1.4375, -0.5625, 2.5625, 1.5625, 1.125, 2.25, 2.5625, 2.875, -1.25, 1.125, 0.0625, 0.1875, 0.3125, -1.8125,
    -1.0625, -0.0625, 0.375, -0.75, -1.0625, -1.375, 1.25, -1.125, -0.0625, -0.1875, -0.3125, 1.8125, 2.3125, 2.75,
    2.8125, 2.75, 1, 1.1875, -1.25, -0.125, 1.6875, -1.0625, 1.125, -1.9375, -0.8125, -1.25, -1.25, 0.5, -1.3125,
    0.3125, 1.25, -1.6875, -1.125, 0.125, 1.0625, 1.9375, 0.5625, 1.75, 1.6875, 2.1875, 1.75, 2, 1.25, -1.125,
    -0.9375, 1.8125, 1.75, 1.3125, -0.84375, -2.625, -2.53125, -3.28125, -2.625, -3, -1.875, 1.6875, 1.40625,
    -2.71875, -2.625, -1.96875, 1.6875, 2.8125, 1, 1.6875, 2.6875, 2.375, 1.1875, -0.625, -0.8125, -1.3125, -1.0625,
    -0.875, -2.53125, -2.53125, -4.21875, -4.03125, -1.5, -3.5625, -1.78125, 1.21875, 1.59375, 0.9375, 1.96875,
    1.3125, 2.75, 2, 2.625, 2.5, 0.875, 2.375, 1.5625, -0.5625, 0.4375, 0.5, 0.4375, 0.0625, 0.9166666666666666,
    0.6666666666666666, 0.875, 0.8333333333333334, 0.2916666666666667, 0.7916666666666666, 0.5208333333333334,
    -0.1875, 0.14583333333333334, 0.16666666666666666, 0.14583333333333334, 0.020833333333333332, 0.4375, 0.6875,
    2.75, 1.0625, 1.75, 2.25, -1.1875, 0.3125, 0.3125, 1.375, -1.5625, -0.6875, 0.14583333333333334,
    0.3541666666666667, 0.22916666666666666, 0.5833333333333334, 0.9166666666666666, 0.75, -0.3958333333333333,
    0.10416666666666667, -0.5208333333333334, 0.10416666666666667, 0.4583333333333333, -0.22916666666666666, 1.5,
    1.375, 2.3125, 2.25, 1.875, 0.25, -1.125, -0.9375, 0.5625, 1.5625, -0.75, -1.5, 1, 1.0909090909090908,
    0.6486486486486487, 0.6666666666666666, 0.8, 6, 0.75, 0.743801652892562, -0.1577794010226443, -0.4629629629629629,
    0.32, 36, 2.75, 0.25, 0.4375, 2.1875, 2.25, 1.8125, -0.8125, -1, 1.125, -1.375, -0.6875, 0.8125,
    0.5454545454545454, 0.6857142857142857, 6, 0.6666666666666666, 3.4285714285714284, 0.8275862068965517,
    0.16115702479338845, -27, 5.387755102040816, 0.313469387755102, 0.4074074074074074, -0.37098692033293695, 1, 2, 3,
    -1, 2, -1, 0, 0, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0, 1, 2, 3, 3, 2, 0, 0, 1, 0,
    1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0.5, -1, 0, 0, 1, 1, 0, 1, -3, 0, 1, 1, 0, 1, -3, 7, 0, 1, -3, 7, 1, 0, 1, 0,
    1, 0, 1, 0, 0, 1, 1.8125, -0.6875, 0.1875, -1, -0.25, 1.1875, 0.125, -1.3125, 1.25, 1.1875, -0.9375, -0.625,
    -1.6875, 0.4375, 0.1875, 0.4375, -1.375, 1.25, 1.8125, -1.3125, 0.1875, 1.1875, -0.9375, 1.1875, -1.6875, 0,
    0.1875, 0, 0, 1.25, 0, 0.4375, 0, 0.4375, -1.375, 0, 1, 0, 1, 1.0625, 1.9375, 1.625, -0.8125, 0.125, -1.5, 1.0625,
    1.375, 0.8125, 1.0625, 1.625, 1.0625, 1.9375, 1.625, 1.9375, -2.3125, 1.875, 1.5, -0.0625, -1.5, -1.3125, 0.875,
    -2, -1.5625, 0.5625, -0.75, 0.5625, -1.6875, -0.6875, 1.0625, 1, 0, 1, 0, 0, 1, -0.8125, 0.75, 0.3125, -1.75,
    -0.8125, 1.0625, -1.9375, 1.75, 1.375, 1.1875, 1.0625, 1.0625, -2.5, -1.5, -2.5, 0.875, -2, -2.5, -2.5, -0.75,
    -2.5, -1.6875, -0.6875, -2.5, 0, 0.75, 0, -1.75, -0.8125, 0, 0, 1.75, 0, 1.1875, 1.0625, 0, -0.625, -0.625, 2,
    -0.3125, 0.1875, -0.5625, 1, 0, 1, 1, 1, 1, -0.25, 1.625, 1.875, 1.5, 1.375, 0.625, -INFINITY, 2, -INFINITY,
    -INFINITY, -INFINITY, -INFINITY, 0, 0, 1.625, 0, 0, 0, -2, 0.8125, 1.4375, 0.75, -0.1875, 1.1875, -0.9375, 2,
    -0.9375, -0.9375, -0.9375, -0.9375, -0.9375, -0.9375, 0.75, -1.25, -1.5625, 2, -0.1875, -0.25, -2, -0.5, -2, -2,
    -2, -2, -2, -2, -0.75, 1, 2, 0.625, 1.1875, -0.5, -0.4375, 0.8125, 2.25, 1.3125, -0.4375, -0.4375, -0.4375,
    0.8125, 0.8125, 0.8125, 0.125, 0.3125, -1.25, -0.8125, 0.5625, 1.8125, -1.0625, -0.75, 1.9375, -1.75, -0.25,
    -1.5625, 1.875, 1.0625, 1.1875, -1.375, -1.875, 0.5625, 1.875, 1.875, 1.0625, 1.0625, 1.1875, 1.1875, 1.875,
    1.875, 1.0625, 1.0625, 1.1875, 1.1875, -0.75, 1.125, -1.875, 0.6875, 0.25, -0.9375, 1.125, 1.75, 0.0625, 0.125,
    0.5625, 0.9375, 1.6875, -1.375, -0.8125, 0.4375, -2.375, 0.875, 1.75, 2.8125, 1.6875, -1.375, 1.6875, -1.375,
    1.6875, -1.375, -0.8125, 0.4375, -0.8125, 0.4375, -0.8125, 0.4375, -0.625, -0.625, 0.6875, 0.4375, -0.75, -0.375,
    1.875, 0.25, 1.9375, -0.375, 0.75, 1.3125, -1.5, -2, 3.875, 0.625, -1.5, -2, -1.5, -2, -1.5, -2, -1.5, -2, -1.5,
    -2, -1.5, -2, 1.625, 0.6875, 1, 0.1875, 4.875, 2.0625, 3, 0.5625, -0.6875, 1.5, -0.6875, 1.5, -1.5, -1.4375,
    1.5625, -0.8125, -0.6875, -0.625, -0.6875, -0.5833333333333334, -0.11458333333333333, -0.11458333333333333,
    -0.11458333333333333, -0.11458333333333333, -0.11458333333333333, -0.11458333333333333, -0.875, 1.75, -1.625,
    0.5625, 0.9375, 0.8125, -1.5625, 0.2604166666666667, -0.2604166666666667, -0.2604166666666667,
    -0.2604166666666667, -0.2604166666666667, -0.2604166666666667, -0.2604166666666667, 1.875, 0.8125, 1.5, 0.5,
    -1.25, -0.1875, -1.75, 0.9375, 1.3958333333333333, -0.3125, -0.5833333333333334, -0.5833333333333334,
    -0.5833333333333334, 0.3125, 0.3125, 0.3125, -0.4375, -1.4375, 0.375, -0.0625, 0.4375, -1.4375, 0.5, -1.4375,
    0.9375, -1.125, 0.6875, 1.375, 1.125, -1.1875, -1.9375, -0.703125, 0.03125, 0.265625, 0.28125, 0.28125, -0.296875,
    -0.296875, -0.484375, -0.484375, 0.28125, 0.28125, -0.296875, -0.296875, -0.484375, -0.484375, 1.3125, -0.125,
    -1.9375, -1.875, 1.0625, -1.625, -1.5, 0.9375, 1.1875, -1.0625, 0.75, 1, 0.5625, 0.25, -1.125, -0.3125,
    0.14583333333333334, -1.2083333333333333, 0.14583333333333334, 0.2916666666666667, 0.1875, 0.08333333333333333,
    0.1875, 0.08333333333333333, 0.1875, 0.08333333333333333, -0.375, -0.10416666666666667, -0.375,
    -0.10416666666666667, -0.375, -0.10416666666666667, 0.0625, -1.6875, -1.4375, -0.9375, 1.375, 1.8125, 0.0625,
    1.625, 0.75, -0.375, -1.5, -0.5, -0.875, -1.8125, -0.11458333333333333, -0.010416666666666666,
    -0.14583333333333334, -0.3020833333333333, -0.14583333333333334, -0.3020833333333333, -0.14583333333333334,
    -0.3020833333333333, -0.14583333333333334, -0.3020833333333333, -0.14583333333333334, -0.3020833333333333,
    -0.14583333333333334, -0.3020833333333333, 0.375, 0.0625, -1.1875, 0.5625, 0.375, 0.0625, -1.1875, 0.5625, 0.1875,
    -1.5, 0.1875, -1.5, -0.0625, -1.3125, 0.5625, 1.25, 1.1875, -0.6875, -1.5, 1.25, 0, 0, 0, -1.5, 0, 0, -1.5625,
    1.625, -1.4375, 1.5, 1.125, -1.25, -0.75, 1.625, 0, -0.75, 0, 0, 0, 0, 0.375, -1.1875, 0.6875, -1, -0.625, 1.875,
    1.25, -0.6875, 0.6875, 1.875, 0, 0, 1.25, 0, 0, -0.6875, 1.9375, 0.5625, 0.3125, 0.5, 1.8125, -1.8125, 1, -0.5625,
    -0.1875, -1.25, 1.9375, -1.8125, 0.8125, -1.25, -0.1875, 1.9375, 0.5, 1.9375, 0.8125, 0, 0, -1.25, 0, 0, 0, 0, 0,
    0, -0.1875, 0, 1.6875, -1.0625, -1.625, -1, -1.75, 1.375, -0.75, 0.375, 1.0625, -1.375, -1.5, 1.4375, 1.25,
    0.9375, -1.875, 0.25, 1.6875, 1.375, 1.0625, 1.4375, 1.25, 0, 0, 0, 0, 0.9375, 0, 0, -1.875, 0, 0, 0.25, 0.5625,
    1.5, -1.9375, 0.4375, 0.25, -1.5, 1.25, -1.6875, 1.9375, -0.75, 0.75, 0.875, -2, -1.1875, 1.9375, 1.5, 0, -1.1875,
    0, 0, 0, 0, 0, 0, -2, 0, 0, 0, -0.5625, -0.5625, 1.625, 1.625, -0.5625, -0.5625, 1.625, 1.625, 1.625, 0.375,
    1.625, 0.375, 1.375, -0.6875, 0.375, -0.8125, 0.4375, 0.5625, 1.25, -0.8125, 0, 0, 0, 1.25, 0, 0, -1.0625, -2,
    1.75, -0.75, 0.8125, 0.625, 0.8125, -2, 0, 0.8125, 0, 0, 0, 0, 1.5625, 1.625, -1.0625, 1.8125, 0.3125, 1.75,
    1.9375, -1.375, -1.0625, 0.3125, 0, 0, 1.9375, 0, -1.375, 0, 1.0625, -1.5, 1.25, -1.375, 1.25, -2, -0.8125,
    -1.4375, -0.875, 0.5625, -0.4375, 0.4375, 0.75, -0.5625, 0.3125, -1.5, -1.375, -2, 0, 0.75, 0, -0.5625, 0, 0.3125,
    0, 0, 0, 0, 0, 0, -1.9375, 2, -0.75, -1, -1.375, 1, 1.0625, -0.375, -1.5625, 1.5625, -0.8125, 0.75, -1.4375,
    0.6875, 1.5625, -0.5625, -1.9375, -1, -1.5625, -0.375, -1.4375, 0, 0, 0.6875, 0, 0, 0, -0.5625, 1.5625, 0, 0, 0,
    0.5625, -1.3125, -0.25, -0.5625, -1.0625, 1.75, -0.5625, -0.5625, 1.25, 0.5625, -0.3125, 1.8125, 0.875, 1,
    -1.0625, -1.3125, 0, 1, 0, 0, 0.875, 0, 0, 0, 0, 0, 0, 0, 1.625, -1.5, -0.6875, -1.3125, 1.625, -1.5, -0.6875,
    -1.3125, 1.4375, 1.3125, 1.4375, 1.3125, 1.9375, 1.8125, 0.625, 1.25, -1.3125, 0.25, 1.25, 2.994675673718432,
    0.43429462211252645, 0.3832636588234519, 0.11688881181430716, 0.21837705014113515, 0.016839429937990272,
    0.08033642717058885, 1.6875, 0.375, 0.0625, 0.25, -1.1875, 1.875, 1.625, 2.774790178780542, 0.5478343257601359,
    0.14744760848685484, 0.10787497481978853, 0.1301220577831555, 0.030906697747041627, 0.6608143354030236, -0.375,
    -0.8125, -0.8125, -0.875, 0.5625, 1.8125, -1.1875, -0.9375, 0.45411805584996845, 2.115973467623853,
    -0.5182654071500445, -0.33461729642497773, -0.33461729642497773, -0.04709860064202999, -0.19829251524726912,
    -0.6921088841107006, 0.5625, -1.625, 0.4375, 1.6875, 1.5, -0.9375, -0.9375, 0.0625, 1.3125, 0.375, 0.9375, -2,
    -0.0625, 1.75, -0.875, 1.226145097556259, 2.495287694498904, 2.0231647236029087, -0.032185674401305216,
    -0.0036111325871266715, 0.22353843599918577, 0.7802258058117927, -0.5185617752213617, -0.045311422941011065,
    -0.0071815946836484516, -0.01952159832791967, 0.536240831370492, 0.20999492681852924, -0.29546759308310944,
    -0.015659208754517602, 1.8125, 1.4375, 1.75, 0.5625, -2, -0.9375, -0.375, -1.375, 1.625, -1, -0.25, 1.125, 2,
    0.0625, -1.125, -0.8125, 2.486212515201522, 1.8495278652898857, 1.8786263925829143, 1.3085857297992836,
    1.0196247478669735, 0.041394113778206766, 0.9578488073141316, 0.017255633872385247, 0.022526444818895174,
    0.00385025234940799, -0.11814491002128369, -0.05550816818371335, -0.8729793679503791, -0.08076390814848612,
    -0.133875722028337, -0.6762279236678006, -0.3125, -1.1875, 0.0625, 2, 1.3125, -1.5, -1.4375, -1.625, -1.8125,
    0.25, 1.3125, -1.25, -1.75, 0.375, 2.264652451031571, 2.2705381222308305, -0.1329826429920197,
    0.011809306460757708, -0.19348860384662597, 0.2861133050132175, -0.6753415857851952, 0.008639873173710892,
    -0.043173143163193754, 0.0076246613145235995, -0.029672438427770828, 0.04971903728578682, -0.6753415857851952,
    0.011093816752003365, -0.5625, 1.75, 0.6875, -1.875, 0.5361122886681098, 2.84861228866811, 0.6875,
    -1.8749999999999993, 0.6875, -1.625, 0.6875, -1.625, 1.4375, 0.1875, 0, 0, -0.75, 1.625, NAN, NAN, 1, 3, 3, 1, 2,
    2, 2, 2, -0.3125, 1.875, 3, 2, 0, -0.15625, -0.15625, 0, 0.46875, 0.46875, 0.46875, 0.46875, 1, 3, 3, 1, 0.625, 3,
    0, 0.3125, 0.3125, 0, 1, 3, 3, 1, 2, 2, 2, 2, 0.5, -1.6875, 1, 2, 0.25, 0, 0, 0.25, -0.421875, -0.421875,
    -0.421875, -0.421875, 1, 3, 3, 1, -0.5, 1, -0.25, 0, 0, -0.25, -INFINITY, -INFINITY, -INFINITY, 1, 800, 801,
    -0.9375, -0.9375, -1.375, -INFINITY, 1, 801.3132616875182, 0, 0, 0, -0.9375, -0.3697944543837493,
    -1.0052055456162732, 0.375, -2, -0.9375, 1.5625, 0.5625, -0.4375, -0.375, -1.6875, -1.1875, 0.75, 1.802734375,
    0.639404296875, -0.37109375, 1.0390625, 0.408203125, -1.076171875, 0.392578125, 0.017578125, 0.041015625,
    -0.451171875, -0.5, -1.875, -0.6875, -0.8125, -1.5625, 1.4375, 1.8125, -0.3125, -1.4375, 0.8125,
    0.3815104166666666, 2.47265625, -0.44921874999999994, 0.8684895833333333, -0.26953125, -0.14973958333333331,
    -1.0325520833333333, 0.5924479166666666, 0.7955729166666666, -0.35546875, -1.3125, 1.1875, 0.5625, 1.25, -1.625,
    -1.75, -0.375, 1.3125, -0.1875, -0.5, 1.719921875, 2.432421875, 0.26015625, -0.11484375, -0.021093749999999998,
    -0.12421874999999999, 0.40625, 0.45625000000000004, -0.09375, -0.76875, -1.375, -1.375, 1.3125, 0.5, 1.875,
    1.4375, -1.625, 0.5625, 1.5625, -1.625, 0.5, 0.1875, 1.75, 0.25, -0.375, 1.0348307291666665, 2.0963541666666665,
    0.6223958333333334, -0.49218749999999994, -0.49218749999999994, 0.14583333333333331, 0.010416666666666666,
    -0.21875, -0.109375, -0.7838541666666665, 1.7682291666666665, 0.1875, -0.34375, 0.125, 0.203125, 1.6875, 1,
    -0.5625, 2, 0.3125, -1.3125, 2, 1.3927951388888886, 0.7777777777777777, 0.3194444444444444, -0.7222222222222223,
    0.9861111111111109, -0.1388888888888889, -1.2222222222222223, 1, 3, 3, 2, 2, -1, 1, 0, 0, 1, 3, 3, 2, 2, -1, 1, 0,
    1, 3, 3, 2, 2, -1, 1, 0, -1.875, 1.375, 0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125,
    0.6875, -0.4375, -1.1875, -1.1875, -1.8125, -0.3125, -0.4375, -0.75, 0.125, -0.8125, 1.8125, -0.25, -1.875, 1.375,
    0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125, 0.6875, -0.4375, -1.1875, -1.1875, -1.8125,
    -0.3125, -0.4375, -0.75, 0.125, -0.8125, 1.8125, -0.25, -0.25, -1.1875, -1.0625, 1.0625, -1.625, -0.625, -0.875,
    -1.1875, -0.25, 1.3125, 0.9375, -1.5625, -0.25, 1.0625, -1.1875, -1.625, -1.0625, -0.625, -0.875, -0.25, 0.9375,
    -1.1875, 1.3125, -1.5625, 1.0625, 1.5625, -0.1875, 1.25, -1.0625, -2, -1.6875, -1.5625, 0.3125, -0.25, 0.5,
    -0.625, -0.6875, 0.0625, 0.31640625, -1.953125, -0.33203125, 0.5, 0, 0, -0.84375, 0.9765625, -0.21484375,
    -0.015625, -0.09375, -0.78125, 0.73046875, -0.125, 1.375, -1.0625, -0.4375, 0.0625, 1.125, -0.75, 0.5625, 1.375,
    -1.125, -1.875, -1.5, -1.0625, -1.625, -1.75, 0.4375, -0.25, 1.5, -1.1875, -1.75, 1.375, 1.9375, -0.0625, -1.125,
    1.8125, 1.6875, 0.1875, -2, 0.0625, 0.1875, -1.5625, -0.6875, 1, -1.3125, -0.5, -0.4375, -1.875, -2.234375,
    -0.984375, -0.19140625, 0.28125, 1.6875, 1.78125, 1.859375, 1.890625, 0.12109375, 0.1171875, 0.84375, -1.92578125,
    -2.7421875, 1.203125, -0.875, -2.54296875, 0.28125, 0.4921875, -0.328125, 1.375, -0.015625, 0.03125, 1.85546875,
    -3.3984375, 2.3203125, 0.10546875, 0.875, -0.0703125, 0.2109375, 2.34375, 0.73046875, 1.375, -0.08203125, 0.9375,
    0.328125, 1.9921875, 2, -0.5625, 1.375, 0.5625, -1.1875, -1.5, -1.625, 0.1875, -1.25, 0.5625, -1.8125, 1.5625,
    -1.4375, -2, 0.9375, -0.125, 1.75, 0.3125, -1.6875, -1.4375, 1.625, -0.5625, -0.0625, -0.25, 0.1875, -1.125,
    -0.75, 0.875, -1.5, -1.5, -1.4375, 1.0625, -1.1875, 1.625, 0.375, -1.6875, -2.875, -2.75, -1.11328125, 0.203125,
    -2.1875, -0.56640625, 0.94921875, -0.80859375, -2.4375, -0.10546875, -0.03515625, -0.390625, -0.26953125,
    2.42578125, 2.25, -1.52734375, -0.703125, -1.9296875, -0.109375, -0.9140625, -2.625, -0.0234375, -0.46875,
    0.421875, 0.375, -1.546875, 0.890625, -1.421875, 1.875, 2.71875, 0.80859375, 0.59765625, 1.78125, 0.3046875,
    0.2109375, -2.63671875, 1.25, 0.5, -0.125, -1.5, -1.75, 1.4375, -0.875, -1.25, -0.4375, 0.5625, -1.1875, -0.75,
    -1, 0.125, -1.75, 0.9375, -1.5, 0.875, -0.875, 1.125, 0.5, -1.5, 1.4375, -0.4375, -1.1875, -1, 0, -1.75, 0,
    0.9375, 0, -1.5, 0, 0, 0.875, 0, -0.875, 0, 1.125, 0, -0.875, -1.125, 1.5, 0.6875, -0.25, -1.4375, -0.125,
    -1.9375, -0.75, -1.125, 1.9375, 0.9375, -0.25, -1.4375, -0.125, -1.9375, 0, 0, 0, 0, -0.75, -1.125, 1.9375,
    0.9375, 1.6875, 1.6875, 1.3125, 1.1875, -0.375, 1.5625, -1.375, -1, 0, 0, 0, 0, 0, 0, 0, 0, -0.8125, -0.1875,
    -1.625, 0.5625, -0.3125, 1.75, -1.6875, 0.15234375, 0.3046875, -0.9140625, 0.05859375, -2.58984375, -1.27734375,
    2.7421875, 0.0625, 0.75, 2, 0.625, 1.875, -1.125, 1.6875, -1.3125, -1.5625, 1.75, -1.1875, -1.1875, -1, 1.6875,
    1.4375, 1.75, 1.875, -1.125, -1.1875, -1.1875, 0, 0, 0, 0, -1, 1.6875, 0, 0, 0, 0, 1.4375, 1.75, 1.25, 1.25, -1,
    1.5625, -1.25, -1.25, 1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, -1.5, -1.8125, -0.875, 0.0625, 1.375, 0.3125,
    1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, -1.5, -1.8125, -0.875, 0.0625, 1.375, 0.3125, -0.6875, -1.3125,
    0.125, -1.625, 1.625, 0.3125, -0.75, 1.375, 1.6875, 1.1171875, -2.1328125, 0.0390625, 1.21875, 2.234375,
    0.52734375, 0.515625, -1.8046875, 0.2109375, 1.9375, 0.1875, 1.625, -0.1875, 0.75, 0.0625, 1.875, 0.5625, 1, 0.5,
    0.375, -1.1875, -0.1875, -0.5625, 1.6875, -0.3125, -0.625, -0.4375, -0.9375, -2, 1.75, 0.0625, 0.8125, 1.5, -2,
    1.5, 0.5625, -0.625, 1.4375, -1.125, -0.0625, -1.1875, 0.0625, 1.0625, 3.6328125, 1.08984375, 1.9375, 0.96875,
    0.3515625, 0.10546875, 0.1875, 0.09375, 3.046875, 0.9140625, 1.625, 0.8125, -0.3515625, -0.10546875, -0.1875,
    -0.09375, 1.40625, 0.421875, 0.75, 0.375, 0.1171875, 0.03515625, 0.0625, 0.03125, -0.43359375, 2.14453125,
    -1.1015625, 1.1171875, 1.578125, -0.19140625, -0.21484375, -6.43359375, 3.8203125, -2.12890625, -1.875, 1.625,
    -0.625, -0.6875, -1.6875, -0.625, -1.5, -0.75, -1.5625, 1.875, 0.9375, -1.5625, 1.6875, 1.4375, -1.5, -0.25,
    -0.25, -1.25, 1.5, 1.8125, -1.4375, 1.1875, 1.5625, 0.4375, 1.4375, 0.5625, 1.171875, 1.2890625, 3.1640625,
    -1.015625, -2.4375, -1.21875, 2.9296875, -3.515625, -1.7578125, -2.5390625, 2.7421875, 2.3359375, 7.46875,
    -0.27734375, 2.8125, 0.46875, 0.46875, -2.03125, 2.4375, 2.9453125, 2.6953125, -2.2265625, -2.9296875, 0.7109375,
    2.3359375, 0.9140625, 1.3125, 1.75, -0.875, 0, 0, 0, -0.125, 1, 1.3125, 1.4375, -0.25, -1.3125, -0.625, 1.4375,
    -1.1875, -0.8125, -1.75, 0.625, -0.125, 1.4375, 1, -0.25, 1.3125, -1.3125, -0.625, -1.1875, -1.75, 1.4375,
    -0.8125, 0.625, 0.9375, 1.75, -0.4375, -1.6875, -1.3125, -0.8125, 0.87890625, 3.0625, 0.19140625, -3.1640625,
    -4.59375, 0.7109375, 0.9375, 1.375, -1.1875, 1.4375, 1.5, -0.125, 0.87890625, 1.890625, 1.41015625, 1.34765625,
    2.0625, 0.1484375, 2, 1.125, -1.1875, 1.875, -1.75, -0.8125, -1.5625, -1.6875, 1.25, -1.6875, 1.0625, -1.625,
    -1.25, 1.0625, -0.1875, 0.8125, 2, -1.1875, 1.875, -1.75, 1.125, -0.8125, -1.5625, -1.6875, 1.25, -1.25, -1.6875,
    1.0625, -1.625, 1.0625, -0.1875, 0.8125, 0.0625, -0.4375, 1.5625, 1, 1.75, -0.3125, 0.625, -0.6875, -1.5, -0.8125,
    0.3125, 0.5625, 0.125, -0.5, 0.0625, 1.5625, -0.4375, 1, 1.75, -0.3125, 1.75, -0.3125, 0.625, -1.5, -0.6875,
    -0.8125, 0.4375, 0.0625, -0.4375, 1.0625, 0.75, 0.0625, -0.4375, 0.875, 0.9375, 1.125, -1.25, -0.375, -0.8125,
    -1.0625, -0.3125, 0.5625, -2, -0.625, -1.125, 1.8125, -0.0625, -1.1875, 0.0625, 0.0625, 0.3125, -0.5, -0.4375,
    0.9375, 1.0625, 1.125, 0.75, -1.25, 0.0625, -0.375, -0.4375, -0.8125, 0.875, -1.0625, -0.3125, -2, -1.125,
    -0.0625, 0.0625, 0.3125, 0.5625, -0.625, 1.8125, -1.1875, 0.0625, -0.5, 0.9375, 1.0625, 1.9375, -1.8125, 0.9375,
    1.0625, 1.9375, -1.8125, 1.875, -1.125, -0.4375, 1.625, 1.5, -0.9375, 1.75, 0.4375, -0.875, -1.625, -1.125,
    -0.1875, -0.25, -0.0625, -0.8203125, -1.828125, -0.41015625, -1.53125, 0.4921875, -0.3046875, -2.109375,
    0.2109375, 0, -0.109375, 0.0546875, 0.234375, -0.109375, 0, 0.9375, -0.875, 0.125, 1.875, -1.5, 2, 0.9375,
    -1.8125, -0.375, -0.1875, 0.4375, -0.0625, -1.5, -0.1875, 0, 0, 0, 0, 0.4375, 0, 0, 0, 0, -0.0625, 1.875, -0.75,
    -2, 1.0625, -0.875, -0.375, -1.125, -0.375, 2, -1, -1.25, -1.625, 0.3125, -1.1875, -0.3125, 0.1875, -1.1875,
    0.375, 1.375, -0.625, -1.8125, 0.1875, 0.6875, -0.1875, 0.0625, 0.375, 1.8125, 0.8125, 1.9375, 0.5625, 1, -2,
    0.375, -1.6875, 0.8125, -0.25, 1.875, 0, 0, 1.0625, -0.875, 0, -1.125, -0.375, 2, -1, 0, 0, 0.3125, -1.1875, 0,
    0.1875, -1.1875, 0.375, 1.375, 0, 0, 0.1875, 0.6875, 0, 0.0625, 0.375, 1.8125, 0.8125, 0, 0, 1, -2, 0, -1.6875,
    0.8125, -0.25, -0.4375, -0.125, 1.3125, -1.75, -0.75, 0.5, 1.125, -1.3125, -1, -1.25, 1.3125, -0.5625, 0.5,
    -0.625, 1.0625, 1.25, 1.25, -0.8125, -0.0625, -0.6875, -0.5625, -1.5, 0.5, 1.3125, 1.5625, -1.625, 1.6875, -0.75,
    0.1875, -1.1875, -0.375, -1.25, -0.3125, -0.125, 0.1875, 1.125, -0.4375, -0.125, 0, -1.75, -0.75, 0.5, 1.125,
    -1.3125, -1, -1.25, 1.3125, 0, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125, -0.0625, -0.6875, 0, -1.5, 0.5, 1.3125,
    1.5625, -1.625, 1.6875, -0.75, 0.1875, 0, -0.375, -1.25, -0.3125, -0.125, 0.1875, 1.125, 1.5, -0.3125, 0.5,
    -1.0625, 1.6875, 0.0625, 1.5, 1, 0.75, 1.25, 1.125, -1.75, 1.625, 0.9375, -0.375, 1.625, -1.1875, 0.25, -1.9375,
    0.625, 0.4375, 0.875, 1.625, 0.3125, -1.5625, -1.125, -1.1875, -0.3125, -1.8125, 1.4375, 1.25, -0.375, 1.3125,
    0.5625, 0.375, 1.25, 0, 0, 0, -1.0625, 0, 0, 1.5, 1, 0, 0, 0, 0, 1.625, 0, 0, 1.625, -1.1875, 0, 0, 0, 0, 0.875,
    0, 0, -1.5625, -1.125, 0, 0, 0, 0, 1.25, 0, 0, 0.5625, 0.375, 0, 0.125, 1.5625, -1.5, -1.4375, -0.375, -0.9375,
    0.3125, -1.375, -1.6875, 1.375, 0.1875, -0.4375, -0.625, -0.6875, 0.1875, -0.0625, 0.125, 0, 0, 0, 1.5625,
    -1.4375, 0, 0, -1.6875, -0.625, 0, -0.6875, 0, 0, 0, 0, -0.875, -1.625, -0.75, 1.125, 0.25, 1.4375, 0.6875,
    -1.5625, -1.5625, -0.8125, -1.1875, -0.125, -1.9375, 1.8125, 0.625, -1.8125, -0.0625, -0.4375, -1.5625, 1.875,
    0.4375, 0.375, 0.4375, -1.5625, 1.6875, -0.25, -0.3125, 1.6875, 0.6875, 0.8125, 0.875, -1.125, 0.8125, -0.0625,
    -1.1875, -1.0625, -0.875, -1.625, -0.75, 0, 0.25, 1.4375, 0, 0, -1.5625, -0.8125, -1.1875, -0.125, 0, 1.8125,
    0.625, 0, 0, -0.4375, -1.5625, 1.875, 0.4375, 0, 0.4375, -1.5625, 0, 0, -0.3125, 1.6875, 0.6875, 0.8125, 0,
    -1.125, 0.8125, 0, 0, -1.0625, 0.625, 1.0625, 1.8125, 1.375, -1.625, -0.125, 0.0625, 0.375, -1.1875, 1.0625,
    -0.0625, 0.9375, 1.1875, -1.5625, 1.5, -1, 1.0625, -1.1875, -1.0625, -0.0625, -0.3125, -1.5625, 0.125, 0.9375,
    0.1875, -0.9375, -0.25, -1.8125, -0.75, -0.4375, -0.25, 1.5625, 0.125, -1.3125, -1.1875, -0.6875, 0, 1.0625,
    1.8125, 0, 0, -0.125, 0, 0, 0, 0, -0.0625, 0.9375, 0, 0, 1.5, 0, 0, 0, 0, -0.0625, -0.3125, 0, 0, 0.9375, 0, 0, 0,
    0, -0.75, -0.4375, 0, 0, 0.125, 0, 0, 0, 0.625, -0.3125, 0.4375, -1.5, 0.3125, 0.5625, -1.125, 1.0625, -1.125,
    0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0.5, 0.5, -1.4375, 0.0625, 0.875, -1.8125, 1.625, 1.375, -1.75,
    1.625, 1.0625, 1.5, 0.5625, -0.9375, -1.4375, 0.0625, -1.375, -1.75, 1.625, 1.75, -1.375, 0.625, -0.3125, 0.4375,
    -1.5, 0.3125, 0.5625, 0, 1.0625, -1.125, 0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0, 0.5, -1.4375, 0.0625,
    0.875, -1.8125, 1.625, 1.375, -1.75, 0, 1.0625, 1.5, 0.5625, -0.9375, -1.4375, 0.0625, -1.375, -1.75, 0, 1.75,
    -1.375, -1.25, 1.875, -0.25, 1.25, 0.9375, 0.125, -2, -1.6875, -2, -0.5, 0.125, 0.6875, 2, -0.75, -0.3125, -1.625,
    -1.25, -0.25, 0.9375, -2, 0, 1.25, 0.125, -1.6875, -2, 0, -0.5, -0.75, 0.125, -0.3125, 0.6875, -1.625, -0.875,
    -1.8125, -0.6875, 1.8125, 1.125, -0.0625, 1.875, 0.0625, 0.0625, -0.9375, -1.375, -1.1875, -0.0625, 1.0625, 0.75,
    0.4375, -1.0625, 1.125, 0.4375, 1.625, -0.4375, 0.3125, 0.5, -0.3125, -1.6875, -1.5625, 0.3359375, 1.796875,
    0.7890625, -1.87890625, 1.8046875, -1.25, 0.109375, -0.57421875, 0.6015625, -2.171875, 1.85546875, 2.27734375,
    -1.87109375, 0.2734375, 0.5234375, -1.98828125, -2.67578125, -3.10546875, -0.23046875, -3.296875, -1.10546875,
    -2.32421875, -0.33203125, -1.09765625, 0.40625, -0.1171875, 1.0625, -0.6875, -1.25, -0.4375, -0.0625, 1, 0.1875,
    -1.671875, -0.08203125, -0.01171875, 0.1875, 0.19921875, -0.12890625, -0.234375, -1.8125, -0.625, 0.3125, 1.875,
    -0.4375, 1.9375, 0.75, -1.4375, 1, -1.25, 1.4375, 1.8125, 1.5, -1.125, 0.5, -1.6875, 0.0625, -0.5, 0.6875,
    -5.05859375, 0.63671875, 0.78125, -3.38671875, -1.578125, -3.09765625, 3.39453125, 3.05859375, -0.11328125,
    1.0546875, -0.0390625, -0.52734375, 0.01953125, 0.90625, -1.24609375, 0.3125, -0.4296875, -0.15625, 0.21484375,
    0.0625, -0.3125, 0.375, 1.375, -1.1875, -1.5, -1.25, 0.25, -1.8125, 0.5, 0.8125, 1.125, 1.9375, -1.0625, 1, -1,
    -0.375, 0.5, -0.1875, 0.828125, 2.42578125, -4.5, 1.23046875, -1.9375, 1.0625, -1, -0.7265625, 0.3984375, -0.375,
    0.96875, -0.53125, 0.5, -0.36328125, 0.19921875, -0.1875, -1.296875, 0.73046875, -0.9296875, -1.625, 0.4375,
    -1.625, -2, -0.9375, 1.6875, 1, 0.375, -0.5625, -1.125, -1.875, -1.625, 1, 0.25, 0.4375, -0.6875, -0.1875, -0.125,
    1.5625, 0.0625, -1.0625, -0.5625, -1.8125, 1.5625, 0.0625, 1.125, -1.12890625, -0.50390625, -2.7265625,
    -0.06640625, 1.26953125, 0.0625, -1.640625, 1.2109375, 1.578125, 0.640625, -0.30078125, -1.203125, -0.078125,
    0.26953125, -1.421875, -1.8671875, 0.14453125, 0.34375, -0.74609375, -0.15234375, -2.296875, 1.3203125, 0.8828125,
    -0.96875, -3.4140625, -3.7578125, -1.625, 0.25, -1.8125, 0.5625, 0.25, 0.375, -1.3125, -0.5, 0.375, 1.875,
    -1.3125, -0.5, 1.125, -0.0625, 0.0625, -1.125, 0.0625, 1, 0.8125, -0.5, -0.25, -0.3125, -0.3125, -1.625, 1.5,
    1.625, 0.5625, -1.6875, -1, 0.75, 0.1875, -0.625, -0.5, 1.6875, 2, 1.125, 0.25, 0.3125, -1.4375, -1.875, 1.9375,
    0.25, 1.375, -1.4375, 0.4375, -1.375, -2, 1.75, 0.0625, 0.0625, 0.125, -1.0625, -0.9375, 0.625, -1.92578125,
    -1.9921875, 0.671875, 0.05859375, -0.81640625, 3.6796875, 0.27734375, -0.96875, -0.484375, -4.421875, 0.609375,
    0.7734375, -1.484375, 1.01953125, 1.99609375, 0.859375, -1.05859375, 0.203125, 2.0078125, 0.28515625, -2.625,
    -1.0078125, 2.57421875, 4.88671875, -3.890625, 2.21875, -3.03515625, 2.69140625, -1.421875, -0.6796875,
    -2.40234375, 3.51953125, -4.4921875, 0.20703125, -0.04296875, -0.0625, -1.5703125, 1.2734375, -1.33984375,
    2.7890625, -0.23046875, 1.9140625, -0.3671875, -3.83203125, 1.48046875, -0.59765625, -4.3125, -1.296875,
    1.50390625, 5.75390625, 1.29296875, -0.6953125, 3.84765625, 2.78125, 0.1875, 1.0625, -0.3125, -1.75, 0.5625,
    0.6875, 0, 0, 0, 0, 0, 0, 1.3125, 0.0625, -0.4375, -0.9375, -0.625, 1.6875, 0, 0, 0, 0, 0, 0, 0.75, 0.125, -1.25,
    -0.25, 0.0625, 0.625, 0.6875, -0.9609375, -0.171875, 0.04296875, 0.4296875, 0.515625, 0.0859375, -0.859375, -2,
    1.375, 1, -1.0625, -1.4375, 1.5625, -0.0625, -1.3125, -1.6875, 1.9375, -1.6875, 1.375, 1.9375, 1.1875, -1.625,
    -1.375, 1.5, 1.5625, -1.875, -0.4375, -0.8125, -1.6875, -1.25, 1, -0.375, 1.6875, -1.4375, -1.6875, -1.75, 1.875,
    -0.9375, 0.3125, 0.9375, -0.125, -1.3125, 1, -0.5, -0.375, 0.3125, 1.3125, 1.5, 1.6875, 0.6875, 1, -0.4375,
    -1.9375, 0.5, 0.6875, 0.0625, 1.25, -1.625, -1.9375, -0.3515625, 2.00390625, 4.48046875, 0.6875, -1.13671875,
    -1.04296875, -3.3828125, 0.5703125, -0.3984375, -0.10546875, -2.05078125, 0.53515625, 1.78515625, 1.40234375,
    3.125, -1.00390625, -3.25390625, -2.390625, -2.93359375, 2.76171875, 1.28515625, 0.640625, 2.87890625, -0.3671875,
    1.90625, -0.046875, -1.84765625, -1.20703125, 3.0625, -2.09375, 3.0625, 3.0703125, -2.16796875, 3.17578125,
    0.3203125, -0.41796875, 0.625, -1.25, 0.25, -0.32421875, -0.0546875, 0.859375, 0.82421875, -1.51953125,
    5.69140625, 4.98828125, 2.1015625, -3.9921875, -3.078125, 2.5, -4.9140625, -3.82421875, -1.625, 0.875, 0.0625,
    1.9375, -2, 1.5, -0.25, -0.0625, -0.3125, -0.125, 0.5, 0.625, -0.4375, 0.875, -0.125, 0.125, -0.5, -0.75, -1.3125,
    0.9375, -1.5, 0.5, 1.75, -0.4375, 0.3125, -1.4375, 0.171875, -0.25, 0.375, -0.0625, -0.2109375, -0.4140625, 0.25,
    0, 0.375, 0, -0.2734375, 0, -0.546875, 0, -0.21875, 0, 0.921875, 0, 0, 0, -1.16015625, 0.51171875, -0.375,
    -0.578125, 0, 0, -0.8125, -0.4375, 1.375, -0.3125, -0.9375, 1.1875, 0.5625, 0.5, -0.5625, 0.1875, 2.7421875,
    2.296875, 2.296875, 2.38671875, -0.89453125, -0.43359375, 1.47265625, -0.06640625, -0.32421875, 0.359375, 0.9375,
    -0.625, 1.9375, 1.375, 0.125, 0.75, 1.25, 1.5625, 0.6875, 0.4375, -1.0625, 1.875, 0.75, 1.3125, 1.5625, 1.375, 1,
    0.875, 1.75, 0.6875, -0.125, -0.0625, -2, 1.625, -0.875, 1.75, -1.1875, 0.75, -0.625, -0.6875, 3.27734375,
    5.39453125, 2.78515625, 2.296875, 4.1796875, 2.5625, 2.2421875, 2.609375, -0.0390625, -4.25, 1.8359375,
    -2.5703125, -4.16015625, -0.98828125, -3.5078125, 1.1015625, -4.765625, 2.5546875, -0.921875, 3.7109375,
    -1.6796875, 0.46875, -2.1640625, 0.6953125, -1.1796875, 2.875, -3.1875, 2.375, -1.5, 1.0625, 0.5, -1.5, 1.125,
    -1.6875, -0.25, 1.375, 0.6875, 1.5625, 0.1875, -1.8125, 1.5, -1.5625, -0.75, 0.0625, -1.4375, -1.75, 0.625, 0.375,
    0.375, 0.3125, 1.625, -0.625, 1.875, -0.9375, -1.125, 0.1875, 0.5625, 0.9375, 1.25, -1.3125, -1.875, 0.5625,
    -1.875, -1.5625, 1.6875, 1.375, -1.5625, 1.9375, 1.25, -0.625, -2.0859375, -1.390625, 1.546875, -4.1796875,
    -0.7265625, 3.3125, 1.5234375, -0.703125, -0.6875, -0.15625, 1.05078125, 2.32421875, 3.69921875, 3.5234375, -2.75,
    5.41015625, 0.140625, 1.98046875, 1.72265625, 0.3046875, -0.2734375, -5.86328125, 3.9140625, 2.01171875, 3.5625,
    -1.359375, 0.33203125, 5.58984375, -1.12890625, -3.8984375, 2.54296875, -2.27734375, 0.51171875, -4.9140625,
    2.33984375, 4.13671875, -3.58203125, 1.59765625, -0.3359375, 3.0625, 0.3125, -0.125, -1.625, -0.5, 0.5, -1.75,
    0.625, -0.125, -2, -1, 1.9375, -0.875, 1.0625, 1.625, 5.3984375, 1.1015625, -0.5703125, -0.59375, -0.2734375,
    0.109375, 1.421875, 0.33203125, -0.1328125, -1.7265625, -0.875, 1.0625, 0.0625, 1.1875, -0.875, 0.5625, -0.3125,
    0.0625, -0.3125, -1.125, -1.4375, 0.625, 0.5625, 0.625, 1.75, 0.0625, 0.4375, -1.5625, 1.125, 0.9375, 1.5625,
    1.3125, -1.8125, 2, 0.5, 2, -0.0625, 0.0625, 0.6875, 1.6875, -0.75, -0.3125, 0.9140625, 1.18359375, -3.78515625,
    1.69140625, 1.53515625, 0.23046875, -2.46484375, 2.8359375, -2.27734375, -1.23046875, 1.42578125, 0.109375,
    -2.91796875, -3.47265625, 0.84765625, 2.12890625, -0.89453125, -0.3671875, -0.05078125, -0.80078125, -0.3671875,
    -0.23046875, -0.11328125, -0.51953125, -0.02734375, -0.0390625, 1.1875, 3.6875, -0.8125, -0.25, -0.625, 0.4375,
    0.5, -0.125, 0.8125, 0.8125, -0.4375, 1.4375, 0, 0, 0, 0, 0, 0, 0, 0, 0.8125, -1.875, -0.875, 0.75, 1.875, 1.375,
    0.625, 0.3125, -0.5, 0.9375, 0.625, 1.375, 0.7980640537079243, 0.05430894042148585, 0.1476270058705899,
    0.1681106585944279, 0.5178172830852636, 0.31407205832030843, 0.14608716169250016, -0.00703018776644994,
    -0.13905697392605026, 0.004103812403928911, -0.14917726885276425, 0.14507345644883535, 1.125, -0.9375, -1, -0.25,
    1.4375, -0.0625, -1.375, 0.375, -1.3125, 0.4375, -0.375, 1.5, 0.7981867777396212, 0.08509904500702024,
    0.28140560742914383, 0.20181322226037882, 0.9149009549929797, 0.7185943925708561, -0.29196592011603684,
    0.05839289815943504, -0.5687338824466268, 0.29196592011603695, -0.058392898159435026, 0.5687338824466268, -0.4375,
    -1.25, -1.5625, 2, -1.5625, -1.125, -0.6875, -1.6875, -0.1875, -1.8125, 0.625, 1.625, -0.4375, 0.0625, 0.6875,
    -0.9375, 0.3125, -0.8125, 1.125, -0.8125, -1.375, -0.4375, 0.75, 0.625, 0.6063160177058281, 0.03581214448353298,
    0.19684199114708595, 0.923607379393946, 0.19684199114708595, 0.04058047612252108, 0.15712963110396863,
    0.03408761169004195, 0.25906296505837756, 0.03008221173296846, 0.5838074038376538, 0.9358301765769896,
    -0.22377834785547568, 0.03434797555675976, 0.14879704726781645, -0.03776141431767321, 0.07498130058765921,
    0.0034134387609135405, 0.136166211081099, -0.04624109655340762, -0.4231572840858925, -0.02952679508063426,
    0.28699107300479343, 0.07576789163404186, -0.375, -1.375, 1, 0, 0.6875, 0.0625, -1.75, 0.5, 0.8125, 0.9375,
    -1.3125, 0.3125, -1.625, -1.1875, 0.25, -1.9375, 0.4503434473741539, 0.03935057188504211, 0.5103059807408041,
    0.20211388517040985, 0.3130401091265908, 0.48484600570299924, 0.043019480983881225, -0.017454687021266648,
    0.06770367966899737, 0.42296080875776054, -0.11072316065287853, -0.40550612173649414, 800, 801, -900, 0, 0, 0,
    -1.25, -0.5, -1.6875, -1.0625, -0.625, -0.25, 0.26894142136999516, 0.7310585786300049, 0, 0.3333333333333333,
    0.3333333333333333, 0.3333333333333333, -0.1474589499311114, 0.14745894993111144, 0, -0.13888888888888887,
    0.006944444444444456, 0.13194444444444445, 0.375, -0.3125, -2, 0.625, 1.3125, -1.9375, -1.125, -1.875, -0.25,
    -1.0625, 0.5, -1.8125, -0.4674040452417671, -1.1549040452417672, -2.842404045241767, -1.1203245912263522,
    -0.43282459122635214, -3.682824591226352, 0.9115372743874777, -0.8509647487231056, -0.060572525664371914,
    -0.2878369774042515, 2.0406013793360387, -1.7527644019317867, 1.0625, 1.5, -0.875, -1.125, 1.4375, 0.875, -0.625,
    -1.3125, 1.1875, 0.375, 1, -1.625, -0.10633723997560358, -0.6623853823577756, -1.9102241504380872,
    -2.2938372399756037, -0.7248853823577756, -0.16022415043808716, -0.4002196556825141, -1.1513687763365577,
    1.2522706491388642, 0.4002196556825141, 1.1513687763365577, -1.2522706491388642, -1.125, 1, 1.125, 1.8125, 1.4375,
    0.625, 0.0625, 1.0625, 1.4375, -1.875, -1.6875, 0.375, -1.125, 1.8125, 0.0625, 1.3125, 1.125, -1.9375, -1.875,
    -0.875, -0.625, -1.5, 1.875, -1.125, -3.155123475824995, -1.3713898552484016, -0.905123475824995,
    -0.5588898552484017, -0.592623475824995, -1.7463898552484016, -1.6348815924385245, -0.4420089315706043,
    -0.2598815924385245, -3.379508931570604, -3.3848815924385245, -1.1295089315706042, -1.127664571031621,
    1.5111670858402284, 0.03721925393476481, 0.6334357954086229, 1.0904453170968564, -2.1446028812488516,
    -1.7531403396870149, 1.3746036315109638, -0.14303569403310423, -1.3807753753527807, 1.8961760337201192,
    0.006171743841817123, 0.375, 0.8125, 0, 0, 1.375, 0.625, 0.875, 1.0625, -0.75, 0.0625, 0.875, -0.25, 0.9375,
    -1.5625, -1.1875, -1.5, -0.5457855194260761, -1.0457855194260761, -2.670785519426076, -1.1373883912547904,
    -0.6998883912547905, -1.6998883912547904, -0.03029138312681265, -0.19971473877011342, -0.799086979840068,
    0.92322310312488, 0.8293783629668806, -0.7235083643547664, 800, 801, -900, 0, 0, 0, -0.6875, -1.8125, 1.125,
    0.125, -0.375, -1.625, -1.3132616875182228, -0.31326168751822286, -1701.3132616875182, -1.0986122886681098,
    -1.0986122886681098, -1.0986122886681098, -0.31770554561625675, -0.8072944543837433, 1.125, 0.75,
    0.24999999999999997, -1, -INFINITY, -INFINITY, -INFINITY, 1, 2, 3, -0.1875, 1.0625, 1.875, -0.25, 0.0625, 0.5625,
    0, 0, 0, 1, 0.26894142136999516, 0.7310585786300049, 0, 0, 0, 0, -0.09830596662074094, 0.09830596662074093, 1.625,
    -1.75, 0.8125, -0.0625, 1, 1, 0, 0, 1.8125, -1.0625, -1.1875, -1.4375, -INFINITY, -INFINITY, -0.34844458100505576,
    -1.2234445810050558, 0, 0, 0.6651856980721542, -0.6651856980721546, -0.0625, -1.4375, -0.9375, 0.625, 1.375,
    -0.5625, 0.5625, 0.3125, -0.75, -0.9375, 1.5, 0.75, 1.9375, 0.9375, -1.1875, -1.4375, 0.0625, 0.625, -0.4375,
    -1.875, 1.8125, 0.5625, -0.125, 0.375, 1.5682911077737471, 2.100508010512697, -2.1031380527211074,
    -0.4184834574555419, 0.9028030520610115, 2.273276797544186, -0.8821795891327575, -1.556235715337261,
    0.9151550500670522, -0.20435834450335877, -0.1329070121379845, -0.577889693425709, -0.7164006772432062,
    -0.736660303926468, 0.4662906880150441, 0.98677029315463, 2.53128503187141, -1.5768047522016428,
    0.24161773113805268, -2.606909214029776, 1.875, 1.1875, -0.5625, -1.5, 1.0625, -1.375, 1.25, 1.8125, -0.75,
    0.8125, 0.8125, 0.3125, -0.625, 0.0625, -1.4375, -0.875, -0.25, 1.9375, -1.25, -0.125, 1.1875, -0.4375, 0.375,
    0.5625, -0.75, 0.125, -1.5625, -1.875, 0.6064009939594216, -1.3644022364086985, 0.758001242449277,
    1.078663643446847, -1.2489789555700335, 0.17031531212318637, 0.9574105034864554, 0.2161894685291996,
    -1.1735999720156554, 1.169321989811876, -0.9894262990715875, -0.17989569074028863, 0.2916209978043989,
    0.07237617129412988, -0.3639971690985286, 0.24999178018062418, 0.24936965720982607, -0.49936143739045014,
    -0.1805506694030991, 0.5958437216101693, -0.41529305220706997, 0.6305567132015993, 0.30365888035152777,
    -0.9342155935531281, 1.8125, -0.125, -1.4375, 0.0625, -0.5625, -1.5, -1.9375, -1.5, 1.875, 1.125, -0.3125, 1.9375,
    -1.3125, -0.25, 1.6875, -1.5, -0.125, -0.5625, 1.0625, -1.75, 3.0520137859428464, -0.7080671983387403,
    0.006782252857650769, -1.8922485472845647, 1.6289997829105967, 1.2634681243062678, 0.31123166584064244,
    -1.9296363282119833, -0.3601897562078673, 0.4155298791892488, 0.7699686301390359, -0.36563341480147193,
    0.702343671986438, 2.049046613365457, -1.112122545917606, -2.098943077753234, -2.2450096356873654,
    -0.4743857958556359, -1.0948118292894986, 3.207863945960164, 1, 1, 1, 1, 2, 4, -0.6875, 1, 0.5, -1.1875, 1.8125,
    1.375, 1.75, 0.1875, -0.1875, 2, 0.8125, -1.5, -1.1875, 1.8125, 1.375, -0.45253394712792033, 1.5452396171374254,
    2.0431509571564357, -263.5231383473649, 176.2310987698003, 87.29203957756464, -0.680082684451573,
    1.0201232213220084, -0.3400405368704352, -2.138083062900596, -0.21714906107584186, -2.004452871469308, 3.75, 1,
    -1.6875, -0.875, -1.3125, 1.625, 0.8125, 1.5625, 1.125, 0.3125, -0.25, 1.3125, -1.3125, -1.625, -1.75, -0.875,
    0.0625, -1.375, -0.8125, 0.5625, -1.0625, -0.8125, -0.1875, -1.875, -1, 0.9375, -1.75, 1.625, 2, 1.4375, 0.875,
    1.6875, 0.5, -0.4375, -0.4375, 1.1875, 1.3125, 0.4375, -1.767295356998062, -0.7374933905839983, 0.917789761653145,
    -1.245127884477389, -0.5721265428413481, 0.29215593073854734, -1.2786968573758648, -0.500660597401034,
    0.3897014039799882, 0.02021917158421124, 0.4218273139084737, 0.33324998095222147, -0.2074338656256408,
    -0.4359874703849116, 0.2468711980677329, -0.21054067738889354, -0.14233483489171608, 0.09158399939158864,
    0.04537832624083076, 0.14361856378005133, 0.23533390610870314, -0.024661885782746584, -0.1383773974578179,
    0.6895364043841105, 0.39792014235666184, 0.1179514738799488, 0.9742341364376619, 0.4637804469735131,
    0.10771837149450751, 1.1289252520174586, 0.6839897911864624, 1.2972841894781417, 0.33230420716076886,
    0.2043096194833624, 0.1645459651474018, -1.5, 0.6875, 0.625, 0.1875, -1.5625, 0.8125, 1.0625, 1.3125, 0.9375, 1.5,
    -1.0625, 0.0625, 0.1875, 0.75, 1.25, -1.5, -1.625, 1.875, -1.1875, 1.875, -0.875, 1.625, 0.875, -0.3125, -1.8125,
    -0.6875, 0.25, -1.6875, 1.25, -1.1875, 1.4375, -0.625, 0.625, 0.5, 1.5625, 0.6875, -2, -0.875, -1.1875, -0.5625,
    1.25, -0.1875, -2, -2, 0.5, -1.3125, -1.5625, 0.0625, 0.25, -1.5625, -2, -1.6875, -0.375, -1.8125, 0.125, -1.5,
    1.625, 1, -0.5, -1.5, 1.5625, -1.625, -0.125, 0.0625, 0.75, -1.8125, 0.4375, -0.625, 1.0625, -1.6875, -1.6875,
    1.4375, 1.3125, 0.9375, 0.625, -0.5625, 0.5625, 1.5625, 1.1875, 1.6875, -0.9375, -0.625, 1.6875, 1.75, -0.125,
    1.625, 0.1875, -0.625, -2, -1.625, 1.75, 1.3125, 0.875, -0.0625, 1.125, 1.4375, 0.25, -1.5625,
    -1.2922575531312415, -1.6481809751739578, 0.115543018512901, -1.5750290676268586, 0.125, -1.5, 1.1120783115161217,
    0.14513051919353614, 0.7146871415171174, -0.25950230960794274, 1.5625, -1.625, 0.5576143309565267,
    -0.6201143309565267, 0.9264530901241491, -1.0248778052367, 0.4375, -0.625, 0.6370849627204734,
    -0.9642944366248049, 0.5663147848145456, -1.0635951087114441, 0, 0, -0.42008020089936926, 0.20367524892090638,
    -0.1389500077093799, 0.05678130560765136, 0, 0, 0.383797510574481, -0.5314119377185124, -1.1585598009248246,
    0.5073740919636426, 0, 0, -0.1897492265676108, -0.07298047175677339, 0.20420477312304763, 0.055209381291289605, 0,
    0, 0.23564884608992373, 0.06480343267472903, -0.36532605689294884, 0.1057470327654391, 0.030176792527611584,
    0.08869163295760643, -0.04697568859961089, -0.07995620700016684, 0.016798896071999272, -0.00873542595743962,
    1.0527686642731775, 0.6726712865948155, -1.8372011068590397, -0.6265282017368236, 0.784432442585862,
    -0.04614308485799188, 0.4981301607208732, -0.5882388879253349, -0.43072973653676794, 0.5104691677129057,
    -0.06740042418410518, 0.07776972021242905, 0.13369615999743903, -0.17146427276772389, -0.22659925823570132,
    0.20464395070996041, 0.09290309823826226, -0.03317967794223653, 2.0284336121023667, 2.203171299316577,
    0.4583470956046144, -0.3023915556860743, 0.013219292293019021, 0.03672025636949728, 1.2996370273440216,
    1.9225221229132166, 0.2204119963170626, 0.45706575347605605, 0.41745097633891576, 0.43291212361072745,
    -1.258065328442658, 0.38993939318582915, -0.6075852413322401, -0.956561731127934, -0.07184943022510189,
    -0.05837766205789528, 2.537379359584995, 1.5150341112750547, 1.0532263040649685, 0.9687953478332322,
    0.15939433635003641, 0.20367054089171321, -1.1875, -1.1875, 1.625, -0.375, -0.625, 1.9375, 1.5, -1.625, 1.25,
    -1.875, 1.5625, 1.9375, -0.8125, 0.0625, 0.3125, -1.875, -0.4375, -1.9375, -0.8125, -0.1404667532647209, 0, 0,
    -0.16045315637198926, 0.2689949974471585, 0.12269947251975649, -0.028315262889174575, -0.12269947251975649,
    0.028315262889174575, 0, 0, 0, 0, -0.8869263822290249, -1.488073617770975, 0, 0, -1.0625, 0.6875, 1.5625, -0.625,
    0.3125, -1.9375, -0.5, -1.875, -1.875, 0.4375, 1.0625, -1.8125, 0.5625, 1.9375, -1.8125, 0.4375, -0.4375, 0.8125,
    -0.9375, -1.5625, 1.75, 1.9375, 1.1875, 1.5625, -0.0625, -0.625, 0.3125, -0.9375, -1.9375, 2, 0.0625, 1.875, 1, 0,
    1, 0, 1, 1, -0.8125, -0.25, -0.25, 0.25, 1.1875, 1.5625, 1.6875, -1.25, 1.298056600265433, 1.2985455383063018,
    1.0638974662097471, 1.3461955658670572, 0.07513188144203352, 1.7328913337771228, -0.006905873186920927,
    1.8793378670741823, 0.6817600639626898, 0.4195446547462708, 0.007383551426533897, -0.05537663569900411,
    0.12162951895240084, -0.2780103290340595, -0.041822566790025176, -0.19865719225261982, 0.29717746377860843,
    -0.19229130009204076, 0.023073598207918395, -0.009229439283167358, -0.3202510619865268, 0.2015207393752081,
    -0.04343911391157177, 0.269322506251745, 0.04182256679002525, 0.1568346254625947, 0.0016165471215465897,
    -0.4261571317143397, -0.609904682877608, -0.1876629793469563, -0.22527949324194943, 0.22527949324194943,
    -0.22731582388044277, -0.03761651389499314, 0.060001436849659244, 0.07894925901270954, 0.058561205501464535,
    -0.04337867074182558, 2.7564373576488763, 0.2769294117291161, -1.8125, 1.6875, -1.875, -1.5625, -0.125, -0.25,
    -0.0625, -1.6875, -0.125, -0.1875, 1.1875, -0.0625, 0.3125, 0.75, -0.875, -1.5625, 0, 0, 0, 0, 1, 1, -0.8125,
    0.8125, 1.1875, -1.625, 0, 0, 0.10873977020949985, 0.35320376303955225, 0, 0, -0.014747959644467375,
    0.35395103146721696, 0, 0, 0.44243878933402125, 0.36869899111168436, -0.44243878933402125, -0.36869899111168436,
    0, 0, 0.9837397702094998, -1.3461702118656313, 0.20376022979050018, -0.27882978813436865, -0.9375, -1.9375,
    0.0625, 1.375, -0.8125, 0.75, -1.3125, 0.125, -0.3125, 0.6875, -1.8125, 2, -1.625, -0.8125, 1.625, 0.0625, 1.25,
    0.8125, -1.125, -1.25, 0.125, 1.25, 0.25, 1.875, -1.3125, 1.0625, -1.5991352207595977, 0.30694949135033833,
    0.8664623390753744, 0.04433586517464872, 0.30847975831676655, 0.38196916596901137, -0.28515532086020023,
    -0.09791620987172903, -0.557137431022785, -0.9249614328952352, 0.5855906964871237, 1.4522488143691283,
    -0.028453265464338667, -0.5272873814738929, 0.011848123207746215, 0.7976292474139417, -0.07085378409239984,
    1.2644151586680723, -1.0034943391153464, 0.8754555939179856, -1.4375, 1.9375, -0.0625, -1.8125, -0.9375, -1.9375,
    1.5, -0.9375, -0.5, 1.3125, -1.9375, -1.9375, 0.5, 0.3125, 0.375, 1.5625, 0.375, 0.3125, 1, 1.25, -1.4375, 1.1875,
    -0.9375, -1.5625, 0.3750991886957241, 1.0736196861709995, 0.44211242249220706, 0.517702637840719,
    0.37565654423692985, 0.9402275281528671, -0.1160202668691919, -0.31611390253676275, 0.15737542865219142,
    -0.0015071717845004384, -0.40333408677758675, 0.010431886999414886, -0.23998314665502096, -0.05586006052289252,
    0.2958432071779136, 0.11096789973908561, 0.046187828944381094, -0.1571557286834668, -0.7759234308715627,
    0.6303530976715851, -0.09788293069467774, 0.17140278192859865, -0.5011936384337595, 0.07324412039981637, 0.3125,
    1.5, -0.125, -0.8125, -0.375, 0.5625, -0.9375, 0.0625, -1.8125, 1, -2, -1.375, 1, 3, 1, 0, 1.0625, 0.0625, -1.375,
    1.9375, 0.1875, 1.5625, 0.0625, -0.4375, 1.75, -1.25, -0.875, -1.3125, -0.8125, -0.375, 0.5625, 1, -2, -1.375,
    -0.8125, -0.375, 0.5625, 0.3125, 1.5, -0.125, -1.25, -0.875, -1.3125, 1.125, -0.375, 0.375, 0, 0, 0, 1.9375,
    0.1875, 1.5625, -1, 1.875, 0.0625, -1.6875, 1.4375, 0.875, -1.9375, 1.9375, 2, 0.25, -1.0625, 1.4375, 0.875, 0, 0,
    0, 0, 0.25, -1.0625, 0, 0, -1.5, -1.25, 0.375, -1.625, 2, -1.0625, 1.25, -0.4375, 3, 0, 3, -1.1875, -0.6875,
    -0.25, 1.25, -0.75, 0.3125, -1.625, -0.4375, -1.5, 2, -1.625, -0.4375, -0.25, 0, 0, -1.9375, 1.25, 0, 0, -0.375,
    1.5, 0.1875, -1.0625, 2, 0.4375, 1.625, 0.875, -0.75, 0.5, -1.625, -0.375, 1.1875, 1.75, -2, -1.5625, 0.5625,
    0.875, -0.75, 2, 0, 2, 2, 1.5625, 1.5, -0.125, -1.1875, -0.4375, -0.375, -1.8125, 0.0625, -1.125, 1.4375, -0.6875,
    -0.75, -1.5625, 0.5, 1.9375, 1.25, 0.125, -0.8125, -1.8125, 1.5625, -1.0625, -1.3125, 0.625, 1.75, 1.75, -2,
    -1.5625, 0.5625, 0.875, -0.75, 1.5, 0.1875, -1.0625, 2, 0.4375, 1.625, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75,
    1.75, -2, -1.5625, 0.5625, 0.875, -0.75, -1.8125, 0.0625, -1.125, 1.4375, -0.6875, -0.75, 0, 0, 0, 0, 0, 0,
    -1.8125, 3.5625, 0.75, -1.25, 0.3125, 0.5625, -1.4375, -0.5, 0.8125, 0.125, 1.125, -0.875, 1.125, -0.0625,
    -1.8125, -0.0625, -1.4375, -1.0625, -0.625, -1.375, 0.0625, 0.125, 0.6875, 1.25, 2, 0, 2, 2, 0.875, -0.375,
    1.6875, -1.5, -0.125, 0.75, 0.8125, 0.875, 1.0625, -1.25, 0.8125, 1.5, 1.5625, 1.25, 0.125, -0.4375, 0.0625,
    1.625, 0.6875, 1, 1.5, -1.8125, 1.9375, 0.375, 0.8125, -1.4375, 0.8125, 0.8125, -0.875, 0.125, -0.875, -0.875,
    -1.8125, 1.125, -1.8125, -1.8125, -1.0625, -0.0625, -1.0625, -1.0625, 0.0625, -0.625, 0.0625, 0.0625, 1.25, 0.125,
    1.25, 1.25, -0.375, 0, 1.0625, 0.75, 0, 1.5625, -1.25, 0, 3.375, 1.25, 0, 1.25, 1.625, 0, 1.75, -1.8125, 0,
    3.8125, -1.1875, -1.375, -1.8125, 1.1875, -1.9375, 1.625, 0, 0, 0, 0, 0, 0, -0.6875, 1, 0.9375, 0.4375, 1.9375,
    -1.5, 0, 0, 2, 1, 2, 1, 1, 1, -0.6875, 1.3125, -1.6875, -1.1875, 0.4375, -1.875, 0.1875, -0.4375, -0.6875,
    -0.6875, 0.9375, 1, -1.5, 1.9375, 1.9375, 1.9375, 0.625, -1.1875, -1.6875, 0, -2.125, 0.4375, -0.375, 1.25,
    -0.5625, -1.3125, -0.9375, -1.625, 2, 0, 2, -1.9375, -0.9375, -0.375, -1.9375, 0, 0, 0, 2, 0, 0.75, 0.6875, 0.375,
    -0.25, -0.125, -0.875, 1, 0, 1, 1.125, 1.1875, -1.9375, -0.25, 0.6875, -0.875, 0, 1.1875, 0, 1.125, 0, -1.9375, 2,
    -1.125, 0.25, 1.6875, -1.8125, -0.625, -1.9375, -0.375, 0.4375, -0.625, -0.3125, 0.3125, 0.0625, -1.1875, 1.5625,
    1.6875, 1.6875, -1.375, 0.9375, 2, -0.625, 1.75, -2, -1.6875, 4, 0, 0, 0, 0, -1.25, -3.875, -0.75, 0, -1.25, 0, 0,
    0.125, 0, 0, 0, 0, -2.75, 1.875, 4, 0, 3.5, 0, 0, -1.875, -0.3125, 1.8125, -0.375, 1.0625, -1.0625, 1, -2, 1.5625,
    -2, 1, 1.875, -0.125, 0.75, -0.375, -0.3125, -0.25, -1.9375, 0.875, 0.875, -2.5, 0, 2.4166666666666665, -0.5,
    1.4166666666666665, -1.4166666666666665, 1.3333333333333333, -2.6666666666666665, 0, -2.6666666666666665,
    1.3333333333333333, 0, -0.16666666666666666, 1, -0.5, -0.41666666666666663, -0.3333333333333333,
    -2.583333333333333, 0, 1.1666666666666665, -0.875, -1.5625, 0.3125, 1.0625, 0.9375, 0.1875, -0.5, -0.8125, 1.6875,
    -1, -1.375, -1.5625, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.875, 2, 0.875, -2, 1.625, -1.5625, -1.5625, -0.8125,
    0.625, 1.5, -0.875, -1.5625, 1, -100, 3, 1.6875, 1.90762614271534, 0.012840935966426893, -0.2250390565543338,
    0.20086603437124792, 0.011332086216658861, 0, 0, 0, 0, 0.22595186926922553, 0.5420303568156287,
    0.05041667677587939, -0.8183989028607337, -1.375, 0.3125, -2, 0.0625, -1, -0.0625, 1.25, -1.1875, 1.625, 0.4375,
    -0.8125, 1.3125, 0, 2, 1, 1, -0.25, 2.6208155726101126, 0.07132774222062617, -0.06490161237142364,
    -0.006426129849202531, 0, 0, 0, -0.03277780924272569, 0.0804692402808847, -0.04769143103815902,
    -0.02261186940819089, 0.07685492428191044, -0.054243054873719554, 1.75, -1.0625, -0.5625, 1, -0.3125, 1.4375,
    -1.375, -1.9375, -1.125, -0.625, -0.9375, -0.5625, -1.3125, 2.9798177083333335, -1.3671874999999998,
    -0.38281249999999994, -0.24609375, -0.7109375, -0.2734375, -0.875, 1.3671874999999998, 0.38281249999999994,
    0.24609375, 0.7109375, 0.2734375, 0.875, -2, 1.0625, 1, 0.0625, -1.875, -0.3125, -0.75, 0.625, 1.9375, -1.5, 1,
    -1.5625, 1, -100, 3, -1.9375, 4.730425410896675, -0.038494329168095906, 1.114454951506089, -0.7731792698391305,
    -0.30278135249886257, 0, 0, 0, 0, -1.3325786456827975, -0.04283567037439338, -0.5218452956387319,
    1.8972596116959226, 1.8125, 0.9375, 0.5625, 1.75, 1.9375, 0.75, 1.25, 0.625, 1.3125, -1.25, 0.8125, 0.625, 0, 2,
    1, 1, -1.75, 2.784010171756722, 0.722622935348675, -0.42827447814192876, -0.2943484572067462, 0, 0, 0,
    -0.6731401238311492, 1.389694055724689, -0.7165539318935401, -0.11373659663935662, 0.855392370686547,
    -0.7416557740471904, -1.8125, -0.25, 1.1875, -0.5625, -1.6875, -1.625, 1.5, -1.0625, -1.75, -1.0625, -1.5625,
    -1.6875, 1.9375, 20.53125, -12.8359375, 3.1484375, 11.3828125, 1.9375, -0.484375, 0.2421875, 12.8359375,
    -3.1484375, -11.3828125, -1.9375, 0.484375, -0.2421875, 1.5625, -1.75, 0.4375, -0.5, 0.0625, 1.625, -1.9375, -2,
    0.0625, -0.6875, -1.25, -1.75, 1, -100, 3, -0.875, -0.4375, 2, 3.7100762041232294, 0, 2.4568551836990165,
    -0.5879533936365924, 0.8535837992022929, -0.19088051993583477, -0.07474988562986579, 0, 0, 0, 0,
    1.0500019243278351, 0.4959857893661712, 0.28260418409145366, -1.82859189778546, 0.4375, -0.0625, 0.875, 0.25, 0.5,
    1.75, -1.875, -1.3125, -0.1875, 1.3125, 2, -0.75, 0, 2, 1, 1, 1.125, -1.8125, 0.375, -1.5, 1.1491028977998379, 0,
    1.5368671494162418, 0.44900943479104705, -0.7684639285803176, 0.2162500586095305, 0.5522138699707871, 0, 0, 0,
    0.04595023102580689, -0.294354833049756, 0.24840460202394912, -0.4814059823710374, 0.5426098847776457,
    -0.061203902406608446, -1.8125, -0.0625, 0.75, -1.875, 1.6875, -1.0625, 0.4375, 0.0625, -1.875, 1.4375, -0.875,
    -1.9375, 2, -0.1875, 0.0625, 0.125, 1.9375, 2, 5.0625, 0.015625, 6.890625, 10.97265625, 6.56640625, 0.765625, -9,
    0.046875, 0.328125, -0.828125, 9.9296875, 3.5, 9, -0.046875, -0.328125, 0.828125, -9.9296875, -3.5, -0.1875, 0.5,
    -0.75, 1, -1.4375, 0.5818448107936776, -0.40396003987871976, 0.6341295324792332, -0.23016949260051328, 0.5625,
    1.1875, 1.625, -1.25, 0.6875, -1.625, -100, -100, -0.25, 0, 0, 0, 0, 0, 0, 0, 0.875, -1.5625, 1, -0.25, -0.625,
    1.75, 2, 0, -0.3125, 2.9140453235772967, -0.06631219208274751, 0.15139285820374856, -0.07514155787803559,
    -0.018046471071166942, 0.1414537499607831, -0.13334638713258162, 800, 0, -800, 0, 0, 0, 2, 1, 1.5625,
    800.5493061443341, 0.78125, 0, -0.78125, 0.26041666666666663, -0.5208333333333334, 0.26041666666666663, 0.125,
    0.5, -1.8125, 1, 1.875, 1.6875, -1.1875, -1.6875, -1.6875, 1.75, 0.375, 2, 0.3590497333852277, 1.323175538604203,
    1.1814121522025496, -0.8460290151921035, -4.838396063449492, 4.488894483308153, -0.5350714211779956,
    -2.2943953882637205, -0.2109375, 0.875, -0.6796875, 2, -1.6875, -1, -0.5625, 1.875, -0.3125, 0.9375, -0.6875,
    1.125, 2, 0.0625, 0.625, 0.625, -1, -1.5, -1.9375, 1.1875, -0.4658541018853749, -0.1539709848078965,
    -1.6583026735360202, 2.125960781609694, 0.42893894112485226, 0.22079654119779035, -5.513978717260194,
    0.3864914613998807, 1.6875, 0, 1.5, 0, 1.08984375, 0, 2.2265625, 0, 1, -0.5, 0.25, -2, 3, 0, 0.5, -1, 0.75,
    1.3125, 0.1875, -0.75, -1.625, -0.625, -1.3125, 1.399789198096713, -0.10021080190328704, 0.841344746068543,
    -0.10021080190328704, 1.9544997361036416, 0.5800294857173489, 1.4798033148018481, -0.023900473543121175,
    -0.8124866029407648, 0.20713743737371684, -0.6782698756738731, -1.3114837597827462, 1.686940752175565,
    -0.7021703492169943, -2.123970362723511, 1, -0.5, 0.25, -2, 3, 0, 0.5, 9, -0.75, 9, -0.5625, -0.75, 1.25, -1.9375,
    -1.8125, 1.5625, 1.399789198096713, -0.008194348896400028, 0, 2.2224949365261493, 0.5800294857173489,
    -0.16997051428265111, -0.6342014206293635, 0.625, -1.8110966206523638, 0.016520650233240633, -2.0521801289519632,
    0.0012098097824450246, -1.8202980412817271, 0, -2.034449668936278, 0, 0.5, -1.25, 2, -2, 1.1875, 1.4375,
    0.841344746068543, -0.015524163314440398, 3.9998733150326675, -4.333261882350746, -0.08932632903184483,
    2.876447992776026, 0.0625, -1.8125, 1.625, -2, 1.125, 0.6875, 0.25, -0.3125, -1.0625, -0.375, -1.25, 0.875,
    0.0624593178423802, -0.9709315977974505, 0.9985313405398316, -0.9092974268256817, 0.9022675940990952,
    0.6346070800152693, 0.24951187767502478, 0.074799100981663, 0.05756320596611984, 0.1560550637051784,
    -0.5389706459983328, 0.6762305778834126, -1.3125, 1.5625, 0.3125, 1.75, -2, 0.125, 1.6875, -1.9375, 1.1875, 0.125,
    0.25, 0.0625, -0.9668265566961802, 0.30743851458038085, -0.9092974268256817, 0.9999655856782489,
    0.9839859468739369, 0.12467473338522769, 0.43104448162486975, 0.0010370289529822972, -1.8436628993433337,
    -0.04456151391237302, -0.4941743683997316, 0.06201235420183306, -1.3125, 1.5625, -0.9668265566961802,
    0.3991152607637683, 0, 3.25, 0.0625, 1.75, 0, -0.10819513453010837, 0.0625, -1.739726933140956, -1.25, 1.125,
    -0.625, -1.3125, -0.875, 1.4375, -1.875, -0.5625, 1.1875, -1.6875, 1.5625, -0.125, 0.3153223623952687,
    0.4311765167986662, 0.8109631195052179, 0.2554337668888117, 0.6409968581633251, 0.13290194445282522,
    -1.779346161291724, 0.507525521680741, 0.6948030116167989, -1.6315198144248042, 1.1992867222437924,
    0.1238911488692202, -1.5, 0.25, 0.9375, 1.8125, -0.5, 1.9375, -1.5, -1.125, -0.5, -1.25, 0.375, -1.375,
    0.0707372016677029, 0.5918050750924775, 0.8775825618903728, 0.9689124217106447, -0.2393571231413216,
    -0.3585402173062328, -1.4962424799060816, 0.30925494906815365, 0.9068412467932796, -0.36409934917404396,
    -0.2397127693021015, 1.2835821361857673, -0.1875, -1.0625, 0.9824733131012553, -0.19805350280991174, 0, 3.25, -1,
    -0.1875, 1, -0.9941296760805463, 0, -0.02028658772439532, -1.875, 0.125, 0.25, 2, -0.875, 1.1875, -0.625, 1.75,
    1.0625, -0.375, 1.4375, -0.1875, -0.9919900576701199, 0.1403162048013338, 0.27632639016823696, 0.9953222650189527,
    -0.7840750610598597, 0.9069217197816865, -0.020966142765135046, 1.9440492217941592, 1.1262650124621214,
    -0.00775011950778452, 0.754321002604588, -0.051645591214020486, -0.625, -0.75, -2, -0.25, 1.4375, -1.875, 1.5,
    -0.875, 0.5625, -0.3125, 1.6875, 1.375, -0.623240882188418, -0.9953222650189527, 0.95794060605646,
    -0.7111556336535151, -0.27632639016823696, -0.9919900576701199, 1.1452493036409073, -0.2009159591235023,
    -0.018083612184830546, 1.788773843322193, 0.08038013927396513, 0.0461255140832971, 0.0625, -2,
    0.07043197772238707, -2.2479600672507813, 0, 6, -6, 1.625, -1.8125, 1.625, 0, 1, -1, 1.8336161465302079,
    -4.743858496139292e-16, 4.253114513780055e-16, 0.8125, 0.875, 1, -0.3125, 1.625, 1.3125, -0.75, 0.0625, 1.25,
    -0.3125, 0.5625, 0.3125, 1.2535347872132085, 1.3988752939670979, 1.7182818284590453, -0.2683843710533582,
    4.0784190371800815, 2.715450737941104, -1.6901510904099064, 0.14992970587294363, 3.3978522855738067,
    -0.22862988404582557, 2.856610708413796, 1.161078355606595, 0.8125, 1.875, -0.625, -0.0625, -1.6875, -0.4375,
    -1.875, -1.9375, 0.1875, -1.5, -1.625, -0.5625, 1.2535347872132085, -0.4647385714810098, -0.8150186000926957,
    5.5208191203301125, -0.06058693718652421, -0.35435147357210794, -4.225377726024766, -9.781228680495168,
    -1.0370690177555437, -1.5265462270718981, 0.03468401248261956, -0.3631772961156893, 0.0625, 0.0625,
    0.06449445891785943, 0.06653090368236622, 0, 1e-09, -40, -0.0625, -1.375, 0.375, 0, 1.0000000005000001e-09, -1,
    -0.0625, -1.3750000013750001, 0, 0.5, 0.5, -1.125, -0.875, -1.25, -0.125, 1.0625, 0.375, 0.125, -0.375, 0.8125,
    -0.4375, 0.9740769841801067, 0.9740769841801067, 0.28115013624831475, 0.3484445810050557, 0.2519290813453729,
    0.6325990353171691, 0.6613630394019705, 0.23342224920069546, 0.030635626641546464, -0.11033061456112078,
    0.18094386279556343, -0.20509589914898166, -0.4375, 0.6875, -0.8125, -0.5625, 0.0625, -0.3125, 0.8125, -0.0625,
    0.625, 1.3125, -1.4375, 0.8125, 0.49813454751437536, 0.367242032138927, 0.7248853823577754, 1.0948510472537265,
    0.450937281595125, 0.5490548622706681, 0.31877367451077554, 0.8733513583551935, -0.019209876054078992,
    -0.5217682329344492, 0.32226244732688475, 0.3432850157865279, 1.9375, -1.9375, 2.072086537477125,
    -1.6935246431319313, 0, 30, -30, 0.5625, -1.6875, -0.3125, 0.6931471805599453, 30.000000000000092,
    9.357622968839737e-14, 0.28125, -1.6874999999998421, -2.924257177762281e-14, 2.75, 0.75, 2.875, 1.8125, 0.75,
    2.875, 1.625, 0.9375, -0.5625, -1.625, 1.5, -1.6875, 1.3217558399823195, 0.5596157879354227, 1.3545456628053103,
    1.0340737675305385, 0.5596157879354227, 1.3545456628053103, 0.43333333333333335, 0.5357142857142857,
    -0.14516129032258066, -0.5777777777777777, 0.8571428571428571, -0.43548387096774194, 0, 1e-09, -0.5, -1.375,
    1.625, 1, 0, 9.999999995e-10, -0.6931471805599453, -1.375, 1.6249999983749999, 2, 1.375, 2.3125, 2.9375, 2.1875,
    1.1875, 2.25, -1.6875, -0.5, -1.1875, 0.375, -1.9375, -1.0625, 0.8528028654224417, 0.6575959492214292,
    0.5834599659915782, 0.6761234037828132, 0.917662935482247, 0.6666666666666666, 0.5233108492364983,
    0.07109145396988424, 0.11793339738127645, -0.05795343460995541, 0.7486197631565698, 0.15740740740740738, 0.25,
    INFINITY, 0.3125, -1.375, 2, 0, -1.25, 0, -0.3125, 1.375, 1.6875, -0.125, -1.625, 0.8125, -0.375, 1.75, 1.8125,
    -0.4375, -2, -0.875, -0.0390625, 1.375, 1.6875, -0.015625, -0.203125, 0.8125, -0.046875, 1.75, 1.8125, -0.0546875,
    -0.25, -0.875, 0, -0.5, 0.5, -1.6875, -0.0625, -1.6875, 0, -0.005, 0.5, -0.016875, -0.000625, -1.6875, 0.125,
    -1.5, -2, -0.8125, -0.3125, -0.1875, -1.875, -1.125, 0.8125, 2, 0.5, -0.4375, 0.125, -0.7768698398515702,
    -0.8646647167633873, -0.5562526899189202, -0.2683843710533582, -0.17097088181959966, -1.875, -0.25102143016698353,
    0.10995991762974783, 0.8874946201621597, 0.3658078144733209, -0.36270023920392513, 0, -0.5, 0.5, -40, -1.1875,
    -0.4375, 1.0625, 0.4375, 0, -0.5902040104310499, 0.5, -1.5, -1.78125, -0.3980357454364157, 1.0625,
    2.787982480035105e-18, 2.5625, 0.375, 1.5625, 2.1875, 0.8125, 1.625, 1.25, -0.75, 0.3125, 0.25, 0.6875, -1.875,
    1.4375, 0.25, 0.0625, 1.3125, -0.625, 1.875, 3.242125653495155, 2.0867794400977164, 1.1496582445669257,
    1.2161496395488938, 0.8669689956950277, 0.4023925579246402, 2.2734417692191635, -1.0433897200488582,
    0.01437072805708657, 0.18242244593233406, -0.4584932188771781, -0.8705608224331157, 4.385505220862657,
    -0.5116935798578178, 0.03206735293629051, 1.2494376408700867, 0.11251055721784259, 0.3663088722840067, 1.4375,
    0.3125, 1.5625, -1.5625, -0.3125, -0.9375, 1.5, -0.3125, -1.5, 1.125, -1.0625, 0.567201968116277,
    0.8927863586355074, 6.1559749103173695, 1.4383327467767955, 0.4979161459026294, 0.8698237104163927,
    0.28686514947647546, 11.776209917536084, -0.3753181256769746, 2.2946168331503447, 2.5830394126456317, -2, 0, 0, 3,
    3, 0, 2, 0, -0.1875, -1.5625, 0.75, -0.0625, -8, 1, 0, 1, -2.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0.5, -0.25,
    -0.6875, -0.5625, 1, 0, 1, 0, 0, -0.28125, 0, 0, 0, -2, -0.5, 0.25, 1, 2, -1, -1, 0.5, 0.125, 1.25, 0.75, -0.625,
    1.0625, -0.75, 1.6875, -0.3125, -2, -1, -0.5, 0.25, 0.125, 1.25, 0.5, 0, 1.0625, -0.75, 0, 0, 0, -0.625, -2,
    1.6875, -0.3125, 0, -2, 0.5, 3, 1, 1, 1, -1, -1, -1, -0.9375, 1.5625, -0.9375, -1, -1, -1, 0, 0, 0, 0, 0, 0,
    -0.9375, 1.5625, -0.9375, 1, 2, 3, -1, 2, -1, 0, 0, 0, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 1, 0, 1, 2, 3,
    -1, 2, -1, 1, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 1, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, NAN,
    INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3, -1, 2, -1, 1, 0, 0, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0,
    1, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1,
    1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 1, 0, NAN, INFINITY, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0,
    1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, NAN, 0, 2, -1, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1,
    0, 0, NAN, 0, 2, -1, 0, 0, 1, 0, 0, -1, 0, 1, 1, -0.8125, -0.8125, 1.375, -1.375, 0.25, -0.125, -0.0625,
    0.03900337219238281, 0.0030002593994140625, 0.0030002593994140625, -0.0017728805541992188, 0.0017728805541992188,
    -0.009750843048095703, 0.019501686096191406, -0.3125, 0.375, 1.8125, 1.75, -1.8125, -0.75, -0.8125, -0.6875,
    -1.0625, 0.3125, 0.25, -0.4375, -0.5625, -1.1875, -2, -0.065460205078125, -1.05316162109375, -0.148681640625,
    -0.117828369140625, 0.0981903076171875, 0.69000244140625, 0.7146453857421875, -0.1640625, -0.396484375,
    -0.045318603515625, -0.053558349609375, -1.17706298828125, 4.00201416015625, 1.189453125, -0.6796875, 1.0625,
    -0.8125, 1.1875, -1.25, -0.125, 1.5, -1.9375, -0.9375, 0.0625, -1, 1.1875, 0.6875, 0.375, 0.5625, -0.3125,
    -1.9375, -0.15771484375, -0.143798828125, 1.5234375, 0.64453125, -0.0556640625, 0.5859375, -0.0498046875,
    0.380859375, 0.47314453125, -0.3173828125, 0.041748046875, 1.33203125, -1.294189453125, 1.248779296875,
    -0.068115234375, -1.81640625, 1, 0, 3, 0, 2, 0, -0.75, 0.8125, 0, 0, 0, -2.25, 0, 0, 0, 0, 1.25, 1.1875, 1, 1,
    -1.625, 0.1875, 1.0625, 0.3125, -1.625, 0.8125, 2, -1.5625, 1.25, -1.625, 0.9875939433162801, 1.5578054475768146,
    -0.5092474401080194, 0.06427394875149758, 0.3411463433733333, 0.10382714798318841, 0.3993247767027891,
    -0.2363350719261405, -0.5460155110017729, 0.3830258062251243, -1.125, -0.5, 0.625, 1.5, 1.125, -0.8125, -1.6875,
    -0.125, -0.5625, -0.0625, 1.1681538140730154, 1.1869516277703427, 0.2006371054705561, 0.10031855273527805,
    -0.08025484218822244, -0.2207008160176117, -0.026327947381227575, 0.007678984652858043, 0.02303695395857413,
    -0.004387991230204596, 1.4375, 0.4375, -1.9375, -1.375, 0.125, -0.3125, -1.25, -1.1875, -0.875, -1.1875, -0.8125,
    -0.25, -2, -1.1875, 0.5, 1.3103901693134503, 0.44633927678392815, 0.385275875185561, -0.802877919852336,
    -0.29412359440135083, 0.5265636565980328, 0.02771387666305436, 0.1892583246525563, 0, 0.5643993297971867,
    0.5326021844565001, -0.4157081499458154, -0.1385693833152718, -0.21629522817435004, 0.027036903521793755, 2, 2, 1,
    2, 1.8125, 0.4375, 0, 0.7071067811865476, 0, 0, -0.30935921676911454, 0.30935921676911454, 1.8125, -1.5, -0.5625,
    0.0625, -1.625, -1.9375, 0.75, 1, 2.4190003100454534, 2.5295132931060076, 0.5619573483950719,
    -0.46506815039592164, -0.17440055639847063, 0.024708310555370042, -0.6424160744396211, -0.7659576272164713,
    0.5625, -1.5, -1.8125, -0.875, 1.5, -1.375, -0.75, 3.2799104408504816, -0.12862393885688164, 0.34299717028501764,
    0.4144549140943964, 0.2000816826662603, -0.34299717028501764, 0.3144140727612662, -0.125, -0.1875, -0.625, -0.25,
    -0.8125, 1.8125, -0.8125, 0.8125, 0.9375, 2.875, 0.8125, 0.8125, 0.8125, -0.8125, -0.8125, 0.8125, -1.3125,
    1.3125, 1.625, 0.9375, -0.0625, 0.5625, 0.0625, 5.8125, -0.0625, 0.0625, 0.0625, 0.0625, -0.0625, 0.0625, 0.125,
    1.875, -0.625, -1.375, -1.875, 0.8125, -0.25, 1.5, 1.8980488395543618, 2.134705460824151, -0.0010842895398768134,
    -0.243965146472283, 0.027107238496920334, -0.6223299945522234, -1.157225196481407, 0.21730117578373087, -0.75,
    -0.9375, 1.875, -0.4375, -0.75, 1.9375, -0.5625, 2.4995441877324547, 0.05064346544674841, 0.07913041476054439,
    -0.31652165904217755, 0.017232845881185222, 0.05064346544674841, -0.3379747937105918, -2, 1.3125, -1.25, 2,
    -1.5625, -0.9375, -0.375, 1.0625, 13.52688570086221, 13.1947612848382, 0.975248250878654, -1.2038725772419758,
    1.233602302748742, 2.729070215449932, -3.087590489086207, -3.9860621813797636, 0.1875, -1.125, -0.375, 1.25, 0.75,
    -1.5, 1.375, 28.24762598674084, 16.876914075139357, -6.88997131948115, -11.933780388033728, 6.536400714838826,
    8.438457037569679, -5.966890194016864, 0.875, -1, -1.1875, 0.8125, -1.125, -0.6875, -1.9375, 0.1875, 1.1875,
    1.125, 0, 0, 1.9375, 0, -0.1875, 0, -0.625, 0.25, -1.5625, 1.0625, 0.375, -1.3125, 1.4375, 1.5625, 0, 0, -1.4375,
    0, 0, 0, 0, 0, 0, 3, 1.9375, 0.25, 0, 3, 0, 0, 0, 0.25, 0, 0, 0, 3, -1.5, -0.5625, 0, 3, 0, 0, 0, -0.5625, -2, 2,
    1, 1.875, 2, -0.9375, 0.9375, 0, 1, 0.125, 1.6875, -1.125, 1.375, 0.8125, -1.125, -1, -1.9375, -0.6875, 1.1875,
    1.625, 1, 0.125, 2.6875, -1, 4.0625, -0.1875, -1.875, -0.0625, -0.75, 0.9375, 1.1875, 1.625, -0.0625, -0.5625,
    1.875, -0.3125, 1.4375, 0.4375, 1.875, -0.875, -1.6875, 1.25, 1.0625, -1, -0.0625, -0.625, 1.25, -0.3125, 1.125,
    1.5625, -0.6875, -2.5625, -1.6875, 1.3125, 0.0625, -1, 1.375, 0.0625, 1.8125, 1.75, -0.8125, -0.3125, 0.4375, 1,
    0.0625, -0.1875, -0.9375, -0.3125, 0.375, 0.375, -1.0625, -0.9375, 1.25, 0.0625, 0.25, 1, 0.25, 1.8125, -0.9375,
    0.0625, 1.375, 0.0625, 3.1875, 1.8125, 2.375, 1.5, 0.4375, 1, 0.5, 0.8125, -0.4375, 0.5, 0.5625, -0.5, 0.1875,
    -0.875, 1.25, 0.0625, -0.4375, 2.875, -0.6875, 1.875, -0.9375, 0.0625, -0.9375, 0.875, 1.125, -0.8125, -0.9375,
    -1.75, -0.5, -1.125, -0.25, -0.5, -1.6875, 0.375, -0.9375, 0.1875, -0.75, 0.875, 0.0625, -1.6875, -1.875, -1.8125,
    -1.375, -1.3125, -0.25, 0.375, 1, 3, 3, 0.5, 2, 2, -1, NAN, 3, 0, 1, 2, 2, 0, 1, 3, -0.875, -0.875, -1.625,
    -0.6875, -1.9375, 0.25, 0.875, -1.25, 0.1875, 0.75, 4, 2, 2, 3, 0, 0, 1, 4, 3, 1, 1.875, -1.75, 1.75, -1.0625,
    0.75, -1.0625, 1.4375, 1.1875, -0.4375, -2, -0.25, -0.875, 1.8125, -0.75, -1.1875, -0.125, -0.4375, -0.1875,
    -0.875, -1.0625, -0.4375, -2, 0.75, -1.75, 1.4375, -1.0625, 1.75, -1.0625, 1.875, 1.1875, -0.875, -0.75, -0.4375,
    -0.125, 1.8125, -0.1875, -1.1875, -1.0625, -0.25, -0.875, 1, 3, 3, 0.5, 2, 2, -1, NAN, 1, 2, 0, 3, 3, 0, 1, 2,
    1.875, -0.4375, 0.6875, -0.9375, 0.5, 0.875, -1.125, -1.3125, 1.375, -1.9375, 0, 3, 2, 0, 4, 1, 1, 2, 3, 4, 0.25,
    -0.9375, 1.875, 0.3125, -0.4375, 2, 1.375, -1.375, 1.3125, -1.875, -0.4375, 0.25, 1.75, -1.8125, 2, 1.8125,
    -0.4375, 0.625, -0.0625, -1.9375, 1.875, 2, 1.375, 0.3125, 1.3125, -0.9375, 0.25, -1.375, -0.4375, -1.875,
    -0.4375, 1.8125, -0.4375, -1.8125, -0.0625, 0.25, 1.75, 0.625, 2, -1.9375, 1, 4, 2, 3, 0.5, -1, 8, -2, -0.3125,
    0.5, 0.25, 2, 1, 2, -2, -1, -0.3125, 0, 0.5, 0, 0, 2, 0, 0.25, 1, 4, 2, 3, 0.5, -1, 8, -2, -0.5, -1.5625, -1.8125,
    -1.5625, 4, 3, 8, 0.5, 0, -0.5, 0, -1.5625, -1.5625, 0, -1.8125, 0, -0.5, 1, -1.3125, -0.1875, 0.6875, -1.25,
    0.625, -0.5, 0.0625, -0.25, 1, 0.6875, 0, 0.0625, 0, 0, -0.25, 0, 0, 0, -1.6875, 0.5625, 0.5, -1.5, -1.9375,
    1.0625, -0.1875, 0.25, 0.5, 1.0625, 0, 0, -0.1875, 0, 0, 0.25, 1.9375, 0.375, -1.5625, 1, -0.875, -1.5625, 0.75,
    -0.6875, 0.5625, 1.125, -1.5625, -1.5625, 0, 0, 0.5625, 0, 0, 1.125, 0, 0, 0.125, -0.9375, -1.9375, 2, -1.125,
    1.125, -2, 1.9375, -1.9375, -0.9375, 0, 1.9375, -2, 0, 0, 0, 1, 3, 1, 2, 2, -1, 0, 1, 1, 1, 3, 1, 2, 2, -1, 0, 2,
    1, 3, 1, 2, 2, -1, 0, 2, -0.8125, 0.1875, 1.4375, -0.4375, -0.9375, 1.8125, 2, 0, 2, 1, 1.125, 0.1875, -0.5, -1,
    0.75, -0.875, 1.25, 1.5, 0.875, 0.1875, -1.25, -0.9375, 0.9375, -1.5625, -1.3125, -0.8125, 2.6875, 1.0625, 0.9375,
    1.125, 0.875, 0.1875, -1.25, -0.9375, 0.9375, -1.5625, 0.9375, -1.5625, 0.875, 0.1875, 0.9375, -1.5625, -1.25,
    -0.9375, 0.9375, -0.875, -0.5, 0.1875, -1.5625, -1, 1.25, 1.25, -1.6875, 2, 0, 2, 1, 0.75, -0.5, 0.3125, -1.125,
    -1.5, -0.5625, 1.125, 0.5, 0.5, -1.5, -2, -0.5625, -1.6875, -1.0625, -0.1875, -0.625, 0.1875, -1.625, -0.125,
    -0.875, 0.5625, 0.4375, -2, 0.5625, -0.375, -1.0625, -1.375, -0.25, 0.6875, -3.1875, -1.6875, -1.0625, -0.1875,
    -0.625, 0.1875, -1.625, -0.125, -0.875, 0.5625, -0.1875, -1.6875, -0.1875, -1.0625, -1.625, -0.625, -1.625,
    0.1875, 0.5625, -0.125, 0.5625, -0.875, 0.125, -1.25, 0.5, 1.125, -1.25, -0.375, 1, 1, 0.875, -1.3125, -0.375,
    -0.6875, -1.5625, -1, -0.1875, -2, -1.125, -0.5625, 0.125, 1, -1.25, -1.25, -0.875, -0.375, -1.5625, -2, -1,
    -1.125, -0.1875, -0.5625, -1, -1.125, -1, -1.125, -0.375, 1.5, 0.0625, 1, -0.0625, 1.25, -0.125, 0.625, -1.5, 0,
    2, 1, 2, 2, 1, -1.875, -1.0625, -1.25, 1.625, -1.8125, 0.8125, -1.25, 1.8125, 1.5, -1.875, 1, -1.375, -0.0625, -2,
    1.9375, -2.25, 1.5, 0.0625, 1, -0.0625, 0.8125, 1.5, -2.25, -1.5, -1.25, 1.8125, 1.5, -1.875, 1, -1.375, -0.0625,
    -2, 1.9375, -1.25, -2, -1.375, -0.0625, -2, -1.375, 1.125, 1.625, 0.6875, -1.0625, -1.5625, -1.375, 0, 2, 1, 2, 2,
    1, -1.75, 1.9375, -1, -0.5625, -0.75, -1, 1.75, 1.6875, -0.25, -0.375, 1.25, 1.5625, -0.625, 0.625, 2.625,
    -1.0625, -2.5625, -2.6875, 1.75, 1.6875, -0.25, -0.375, 1.25, 1.5625, 1.75, -0.25, 1.6875, 1.5625, 1.5625, 1.25,
    -1.875, -0.0625, 0.5, -0.4375, -1.8125, -1.125, 1, 1, 0, 1.75, 1.25, -1.8125, -0.625, 1.1875, 0.4375, 0.0625,
    0.125, -1.625, -3.6875, 2.9375, 0.5, -0.4375, -1.8125, -1.125, -0.625, 1.1875, 0.4375, 0.0625, 0.125, -1.625,
    1.1875, 1.1875, -0.625,
};
